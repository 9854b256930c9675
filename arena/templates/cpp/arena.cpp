// The connection to the referee: the same for every bot. You need not change it.

#include "arena.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>

#include <grpcpp/grpcpp.h>

#include "arena/wire/v1/match.grpc.pb.h"

using namespace arena::wire::v1;

namespace {

std::shared_ptr<grpc::Channel> connect(const std::string& socket) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // a batch has no limit
  return grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
}

FromBot hello(const std::string& name, const std::string& game) {
  FromBot message;
  message.mutable_hello()->set_protocol(1);
  message.mutable_hello()->set_name(name);
  message.mutable_hello()->add_games(game);
  message.mutable_hello()->set_wants_legal_actions(true);
  return message;
}

}  // namespace

int run(const std::string& name, const std::string& game, Choose choose) {
  const char* socket = std::getenv("ARENA_SOCKET");
  if (!socket) {
    std::cerr << "this bot must be started by the referee: see README.md\n";
    return 1;
  }
  const auto stub = Arena::NewStub(connect(socket));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  stream->Write(hello(name, game));

  std::map<std::uint32_t, MatchStart> matches;  // the start of each match in play
  FromReferee batch;
  while (stream->Read(&batch)) {
    for (const MatchStart& start : batch.starts()) matches[start.match()] = start;
    FromBot answer;
    for (const Request& request : batch.requests()) {
      Decision* decision = answer.mutable_decisions()->add_decisions();
      decision->set_match(request.match());
      decision->set_number(request.number());
      *decision->mutable_action() =
          choose(request.view(), request.legal_actions(), matches[request.match()],
                 request.number());
    }
    // One message answers the requests of all tables; without requests, send nothing.
    if (batch.requests_size() > 0) stream->Write(answer);
    for (const MatchEnd& end : batch.ends()) matches.erase(end.match());
    if (batch.has_goodbye()) {
      context.TryCancel();
      stream->Finish();
      return 0;
    }
  }
  const grpc::Status status = stream->Finish();
  if (status.ok()) return 0;
  std::cerr << "the connection to the referee failed: " << status.error_message() << "\n";
  return 1;
}
