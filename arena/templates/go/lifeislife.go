// A bot for Life is Life: collect many cards of few animals, and knock with a good hand.
// The three lines to change first are marked.
package main

import (
	"math"

	wire "arena/wire/v1"
)

const enough = 18 // 1 change me: how good must a hand be to knock?

// values are the points of the animals from giraffe to mouse; also how many cards there are.
var values = []float64{9, 8, 7, 7, 6, 6, 5, 5, 4, 3}

// choose returns one of the legal actions: GetSwap() has the cards to lay down for the row of the
// same size; GetKnock() announces the last lap.
func choose(any *wire.View, legal []*wire.Action, match *wire.MatchStart) *wire.Action {
	view := any.GetLifeislife()
	now := worth(view.Hand.Counts)
	var knock, swap *wire.Action
	best := 0.0
	for _, action := range legal {
		cards := action.GetLifeislife().GetSwap()
		if cards == nil {
			knock = action
		} else if then := worth(handAfter(cards.Counts, view)); swap == nil || then > best {
			swap, best = action, then
		}
	}
	if knock != nil && now >= enough {
		return knock
	}
	isLastLap := view.Knocker >= 0
	if knock != nil && isLastLap && best <= now {
		return knock // 2 change me: this passes the turn
	}
	return swap
}

// handAfter returns the hand after a swap: take a row, and lay down the same number of cards.
func handAfter(laid []uint32, view *wire.LifeIsLifeView) []uint32 {
	size := uint32(0)
	for _, count := range laid {
		size += count
	}
	row := view.Rows[size-1].Counts
	hand := make([]uint32, len(laid))
	for animal, count := range view.Hand.Counts {
		hand[animal] = count + row[animal] - laid[animal]
	}
	return hand
}

// worth estimates how many points a hand will score.
func worth(counts []uint32) float64 {
	total := 0.0
	for animal, count := range counts {
		share := math.Min(1, 2*float64(count)/values[animal])
		total += values[animal] * share * share // 3 change me: half of them win it
	}
	return total
}

func main() { run("{{name}}", "lifeislife", choose) }
