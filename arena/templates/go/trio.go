// A bot for Trio: turn up the numbers it has seen most often.
// The three lines to change first are marked.
package main

import wire "arena/wire/v1"

const firstHand = 9

// choose returns one of the legal actions: TrioAction_Centre turns up a card in the centre,
// TrioAction_Low or TrioAction_High one of a seat; in a swap, TrioAction_Give or TrioAction_Keep.
func choose(any *wire.View, legal []*wire.Action, match *wire.MatchStart) *wire.Action {
	view := any.GetTrio()
	if len(view.Phase) > 0 {
		return legal[len(legal)-1] // 1 change me: the last keeps all cards, others give one away
	}
	known := make([]uint32, len(legal))
	often := map[uint32]int{} // how many places are known to have each number
	for at, action := range legal {
		known[at] = numberAt(action.GetTrio(), view, match.Seat)
		often[known[at]]++
	}
	often[0] = 0
	if len(view.Shown) > 0 {
		if same := placeOf(numberShown(view), known); same >= 0 {
			return legal[same]
		}
		if unknown := placeOf(0, known); unknown >= 0 {
			return legal[unknown] // 2 change me: which unknown one?
		}
		return legal[0]
	}
	best := 0
	for at := range legal {
		if often[known[at]] > often[known[best]] {
			best = at
		}
	}
	return legal[best] // 3 change me: where to start?
}

// numberAt returns the number at a place, or 0 if this seat does not know it.
func numberAt(action *wire.TrioAction, view *wire.TrioView, ownSeat uint32) uint32 {
	switch place := action.Action.(type) {
	case *wire.TrioAction_Centre:
		return uint32(view.Centre[place.Centre])
	case *wire.TrioAction_Low:
		cards := view.Known[place.Low].Low
		if place.Low == ownSeat {
			cards = view.Hand
		}
		if turned := turnedUp(firstHand+2*place.Low, view); turned < len(cards) {
			return cards[turned]
		}
	case *wire.TrioAction_High:
		hand := view.Known[place.High]
		cards := hand.High
		if place.High == ownSeat {
			cards = view.Hand
		} else if len(hand.Low) == int(hand.Size) { // the whole hand is known
			cards = hand.Low
		}
		if turned := turnedUp(firstHand+2*place.High+1, view); turned < len(cards) {
			return cards[len(cards)-1-turned]
		}
	}
	return 0
}

// turnedUp counts the cards turned up at a place in this turn.
func turnedUp(place uint32, view *wire.TrioView) int {
	count := 0
	for _, shown := range view.Shown {
		if shown == place {
			count++
		}
	}
	return count
}

// numberShown returns the number that is face up in this turn. Everyone has seen it.
func numberShown(view *wire.TrioView) uint32 {
	place := view.Shown[0]
	if place < firstHand {
		return uint32(view.Centre[place])
	}
	hand := view.Known[(place-firstHand)/2]
	if isLow := (place-firstHand)%2 == 0; isLow {
		return hand.Low[0]
	}
	if len(hand.High) > 0 {
		return hand.High[len(hand.High)-1]
	}
	return hand.Low[len(hand.Low)-1]
}

// placeOf returns the first place with this number, or -1.
func placeOf(number uint32, known []uint32) int {
	for at, other := range known {
		if other == number {
			return at
		}
	}
	return -1
}

func main() { run("{{name}}", "trio", choose) }
