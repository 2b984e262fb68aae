package question

// Advice tells the asker what an outcome without an answer means, and what to do instead of asking
// again. It is "" for the other outcomes.
func (o Outcome) Advice() string {
	switch o {
	case TimedOut:
		return "Nobody answered in time, which is no refusal. Do not ask again now: go on with what needs no answer, choose the safest way yourself and say so, or end your turn."
	case Dismissed:
		return "The person put the question away without answering. Do not ask it again: choose the safest way yourself and say so, or ask in the conversation."
	case Declined:
		return "The person refuses to answer. That is a decision: do not do what the question was about, and do not ask again."
	case Withdrawn:
		return "The question was withdrawn before anybody answered it."
	case NoHuman:
		return "Nobody could be shown the question: no page, no attached terminal and no dialog of the client could display it. Put the question to the person in the conversation, or choose the safest way yourself and say so."
	}
	return ""
}
