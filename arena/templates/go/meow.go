// A bot for MEOW: win good prizes with high cards, and discard high cards on bad ones.
// The three lines to change first are marked.
package main

import (
	"sort"

	wire "arena/wire/v1"
)

const green = 2

func colour(card uint32) uint32 { return card / 18 }
func rank(card uint32) uint32   { return card%18 + 1 }

// choose returns one of the legal actions: GetMeow().Card is 17 for the pink 18.
func choose(any *wire.View, legal []*wire.Action, match *wire.MatchStart) *wire.Action {
	view := any.GetMeow()
	sort.SliceStable(legal, func(a, b int) bool {
		return strength(legal[a].GetMeow().Card) < strength(legal[b].GetMeow().Card)
	})
	winner, loser := legal[0], legal[0] // the highest of each, if there is one
	for _, action := range legal {
		card := action.GetMeow().Card
		if winnerOf(append(view.Trick, card)) == card {
			winner = action
		} else {
			loser = action
		}
	}
	isGood := view.Row[0] > 0 // 1 change me: is the prize good? A fish is 100, a vase is -100
	if isGood {
		return winner // 2 change me: how high to play for it?
	}
	return loser // 3 change me: what to play against a bad one?
}

// strength ranks cards of all colours, the weakest first: any green beats any other.
func strength(card uint32) uint32 {
	if colour(card) == green {
		return 100 + rank(card)
	}
	return rank(card)
}

// winnerOf returns the card that wins the trick so far; together with the 18 of its colour, a 1 is
// the highest.
func winnerOf(trick []uint32) uint32 {
	trump := colour(trick[0])
	for _, card := range trick {
		if colour(card) == green {
			trump = green
		}
	}
	lowest, highest := trump*18+17, trump*18
	for _, card := range trick {
		if colour(card) == trump && card < lowest {
			lowest = card
		}
		if colour(card) == trump && card > highest {
			highest = card
		}
	}
	if rank(lowest) == 1 && rank(highest) == 18 {
		return lowest
	}
	return highest
}

func main() { run("{{name}}", "meow", choose) }
