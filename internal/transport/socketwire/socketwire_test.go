package socketwire

import (
	"bufio"
	"bytes"
	"testing"
)

func FuzzRead(f *testing.F) {
	f.Add(Append(nil, Ping, nil))
	f.Add(Append(Append(nil, StdinInput, []byte("x")), Resize, []byte(`{"rows":1}`)))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReader(bytes.NewReader(data))
		var again []byte
		for {
			got, err := Read(r)
			if err != nil {
				break
			}
			again = Append(again, got.Kind, got.Content)
		}
		if !bytes.HasPrefix(data, again) {
			t.Errorf("read %x from %x", again, data)
		}
	})
}
