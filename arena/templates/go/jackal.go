// A bot for Jackal & High: hit the numbers on display exactly, those with many paws first.
// The three lines to change first are marked.
package main

import wire "arena/wire/v1"

const (
	lucky8 = 8
	faces  = 8
	dice   = 3
)

// choose returns one of the legal actions: GetPlace().Stacks says for each of the rolled dice on
// which stack to put it, or 0 to keep it; GetAgain() rolls again.
func choose(any *wire.View, legal []*wire.Action, match *wire.MatchStart) *wire.Action {
	view := any.GetJackal()
	if len(view.Spoils[match.Seat].Cards) > 0 {
		return legal[0] // 1 change me: the top card of the pile is lost first
	}
	best, most := legal[0], -1.0
	for _, action := range legal {
		if paws := merit(action.GetJackal(), view, match); paws > most {
			best, most = action, paws
		}
	}
	return best
}

// merit estimates how many paws an action wins.
func merit(action *wire.JackalAction, view *wire.JackalView, match *wire.MatchStart) float64 {
	place := action.GetPlace()
	if place == nil {
		return 0.5 // 2 change me: what is another roll of the last die worth?
	}
	laid := view.Laid[match.Seat]
	stacks := append(append([]uint32{}, laid.Stacks...), place.Stacks...)
	rolled := append(append([]uint32{}, laid.Faces...), view.Rolled...)
	sums, counts := map[uint32]int{}, map[uint32]int{} // of the dice on each stack
	inHand := dice - int(laid.Valley)
	for die, stack := range stacks {
		if stack > 0 {
			sums[stack] += int(rolled[die])
			counts[stack]++
			inHand--
		}
	}
	total := 0.0
	for at, card := range view.Cards {
		stack := uint32(at + 1)
		missing := int(card) - sums[stack]
		if missing == 0 {
			total += worthOf(card, match)
		} else if counts[stack] > 0 && missing <= faces*inHand {
			total += worthOf(card, match) / 4 // 3 change me: how likely are the next dice to hit it?
		}
	}
	return total
}

// worthOf returns the paws of a card; the Lucky8 has none, but wins the cards left over.
func worthOf(card uint32, match *wire.MatchStart) float64 {
	paws := match.Parameters.GetJackal().Paws
	switch {
	case card == lucky8:
		return 3
	case card < lucky8:
		return float64(paws[card-1])
	}
	return float64(paws[card-2])
}

func main() { run("{{name}}", "jackal", choose) }
