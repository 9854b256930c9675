// The connection to the referee: the same for every bot. You need not change it.
// protos/ documents every message.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"os"

	"google.golang.org/grpc"

	wire "arena/wire/v1"
)

// Choose returns one of the legal actions.
type Choose func(
	view *wire.View, legal []*wire.Action, match *wire.MatchStart, number uint32,
) *wire.Action

// run plays until the referee ends the call; choose is called for every decision.
func run(name, game string, choose Choose) {
	if os.Getenv("ARENA_SOCKET") == "" {
		fail("this bot must be started by the referee: see README.md")
	}
	stream, err := call(os.Getenv("ARENA_SOCKET"))
	if err != nil {
		fail("the connection to the referee failed: ", err)
	}
	hello := &wire.Hello{Protocol: 1, Name: name, Games: []string{game}, WantsLegalActions: true}
	stream.Send(&wire.FromBot{Content: &wire.FromBot_Hello{Hello: hello}})

	matches := map[uint32]*wire.MatchStart{} // the start of each match in play
	for {
		batch, err := stream.Recv()
		if err == io.EOF {
			return
		}
		if err != nil {
			fail("the connection to the referee failed: ", err)
		}
		for _, start := range batch.Starts {
			matches[start.Match] = start
		}
		answers := &wire.Decisions{}
		for _, request := range batch.Requests {
			match := matches[request.Match]
			action := choose(request.View, request.LegalActions, match, request.Number)
			answer := &wire.Decision{Match: request.Match, Number: request.Number, Action: action}
			answers.Decisions = append(answers.Decisions, answer)
		}
		// One message answers the requests of all tables; without requests, send nothing.
		if len(answers.Decisions) > 0 {
			stream.Send(&wire.FromBot{Content: &wire.FromBot_Decisions{Decisions: answers}})
		}
		for _, end := range batch.Ends {
			delete(matches, end.Match)
		}
		if batch.Goodbye != nil {
			return
		}
	}
}

// call connects to the referee's socket and starts the only call.
func call(socket string) (wire.Arena_PlayClient, error) {
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	unlimited := grpc.MaxCallRecvMsgSize(math.MaxInt32) // a batch has no limit
	connection, err := grpc.Dial("passthrough:///arena", grpc.WithInsecure(),
		grpc.WithContextDialer(dial), grpc.WithDefaultCallOptions(unlimited))
	if err != nil {
		return nil, err
	}
	return wire.NewArenaClient(connection).Play(context.Background())
}

func fail(sentence ...any) {
	fmt.Fprintln(os.Stderr, fmt.Sprint(sentence...))
	os.Exit(1)
}
