// The connection to the referee: the same for every bot. You need not change it.
// protos/ documents every message.
#pragma once

#include <string>

#include "arena/wire/v1/match.pb.h"

using Actions = google::protobuf::RepeatedPtrField<arena::wire::v1::Action>;

// A function that returns one of the legal actions.
using Choose = arena::wire::v1::Action(const arena::wire::v1::View& view, const Actions& legal,
                                       const arena::wire::v1::MatchStart& match, unsigned number);

// Play until the referee ends the call; `choose` is called for every decision. Return the exit code.
int run(const std::string& name, const std::string& game, Choose choose);
