package jsonrpc

import (
	"errors"
	"strings"
	"testing"
)

// A request that is too long can be answered: its id is at one end of the line.
func TestLongID(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":5,"method":"m","params":{"id":6,"text":"` + long + `"}}`:     `5`,
		`{"jsonrpc":"2.0","id":"a\"b","method":"m","params":{"text":"` + long + `"}}`:       `"a\"b"`,
		`{"method":"m","params":{"id":6,"text":"` + long + `"},"jsonrpc":"2.0","id":5}`:     `5`,
		`{"method":"m","params":{"text":"` + long + `"}, "id" : "x" , "jsonrpc" : "2.0" } `: `"x"`,
		`{"method":"m","params":{"text":"` + long + `","id":6}}`:                            ``, // a notification
		`{"method":"m","jsonrpc":"2.0","params":{"text":"` + long + `, \"id\":6}"}}`:        ``,
		`{"jsonrpc":"2.0","id":5,"result":{"text":"` + long + `"}}`:                         ``, // a response
		`{"result":{"text":"` + long + `"},"jsonrpc":"2.0","id":5}`:                         ``,
		`{"jsonrpc":"2.0","params":{"text":"` + long + `"},"method":"m","id":5}`:            ``, // not known to be a request
		`[{"jsonrpc":"2.0","id":5,"method":"m","params":"` + long + `"}]`:                   ``,
		long: ``,
	} {
		r := NewLineReader(strings.NewReader(line+"\n{}\n"), 10_000)
		_, err := r.Next()
		if !errors.Is(err, ErrLineTooLong) {
			t.Fatalf("%.40s: %v", line, err)
		}
		if got := string(LongID(err)); got != want {
			t.Errorf("%.60s...%s: id %q, want %q", line, line[len(line)-20:], got, want)
		}
		if next, err := r.Next(); err != nil || string(next) != "{}" {
			t.Errorf("the next line: %q, %v", next, err)
		}
	}
	if id := LongID(errors.New("another")); id != nil {
		t.Errorf("another error: %s", id)
	}
}
