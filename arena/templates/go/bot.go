// A bot for {{title}}: it plays any legal action. The line to change first is marked.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	wire "arena/wire/v1"
)

// choose returns one of the legal actions; number counts the decisions of this seat in the match.
func choose(
	view *wire.View, legal []*wire.Action, match *wire.MatchStart, number uint32,
) *wire.Action {
	// A replayed match has the same seed, so the bot plays the same actions in it.
	drawn := sha256.Sum256([]byte(fmt.Sprintf("%x %d", match.BotSeed, number)))
	at := binary.BigEndian.Uint64(drawn[:]) % uint64(len(legal))
	return legal[at] // change me: which action is good?
}

func main() { run("{{name}}", "{{game}}", choose) }
