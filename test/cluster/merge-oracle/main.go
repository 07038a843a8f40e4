// Command merge-oracle answers, for each line of its input, what the strategic merge of the Kubernetes library gives:
// {"original": …, "patch": …} becomes {"expected": …}, or {"error": "…"} where the library refuses or panics.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type pair struct {
	Original json.RawMessage `json:"original"`
	Patch    json.RawMessage `json:"patch"`
}

type answer struct {
	Expected json.RawMessage `json:"expected,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func main() {
	meta, err := strategicpatch.NewPatchMetaFromStruct(&corev1.Pod{})
	if err != nil {
		panic(err)
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	answers := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer answers.Flush()
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			written, _ := json.Marshal(answerTo(line, meta))
			answers.Write(append(written, '\n'))
		}
		if err != nil {
			return
		}
		if lines.Buffered() == 0 {
			answers.Flush()
		}
	}
}

func answerTo(line []byte, meta strategicpatch.LookupPatchMeta) (given answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			given = answer{Error: fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	var asked pair
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: "the line is not JSON: " + err.Error()}
	}
	merged, err := strategicpatch.StrategicMergePatchUsingLookupPatchMeta(asked.Original, asked.Patch, meta)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Expected: merged}
}
