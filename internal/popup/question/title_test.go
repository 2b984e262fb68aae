package question

import "testing"

// Titles are plain text in every channel.
func TestTitleIsPlainText(t *testing.T) {
	no := false
	for title, want := range map[string]string{
		"Deploy **v2** to `prod`?":               "Deploy v2 to prod?",
		"## Really *delete* ~~it~~?":             "Really delete it?",
		"Read [the plan](https://example.org)":   "Read the plan",
		"**Deploy `v2`?**":                       "Deploy v2?",
		"Delete `*.go and *b*`?":                 "Delete *.go and *b*?",
		"Is 2 * 3 * 4 more than a*b*c or a_b_c?": "Is 2 * 3 * 4 more than a*b*c or a_b_c?",
		"Delete **/*.go, **/*.ts and __init__?":  "Delete **/*.go, **/*.ts and __init__?",
		"Delete *.go and *.ts?":                  "Delete *.go and *.ts?",
		"#1 of [three], __ or ** or `?":          "#1 of [three], __ or ** or `?",
		"Call f(**args, **kw) and g(*a, *b)?":    "Call f(**args, **kw) and g(*a, *b)?",
		"Is 2**3**4 or a ~~ b ~~ c right?":       "Is 2**3**4 or a ~~ b ~~ c right?",
		"Delete *test, or *?":                    "Delete *test, or *?",
		"Run ops[rm](all)?":                      "Run ops[rm](all)?",
		"[ ](x)":                                 "[ ](x)",
		"` `":                                    "` `",
	} {
		q, err := Request{Title: title, Message: "?", Options: yesNo}.Question()
		if err != nil || q.Title != want {
			t.Errorf("%q is displayed as %q (%v), want %q", title, q.Title, err, want)
		}
		relayed, err := Spec{Request: Request{Title: title, Message: "?", Options: yesNo}, Relayed: true}.Question()
		if err != nil || relayed.Title != title {
			t.Errorf("another server makes %q of %q (%v)", relayed.Title, title, err)
		}
		plain, err := Spec{Request: Request{Title: title, Message: "?", Options: yesNo}, Markdown: &no}.Question()
		if err != nil || plain.Title != title {
			t.Errorf("without Markdown, %q is displayed as %q (%v)", title, plain.Title, err)
		}
	}
}
