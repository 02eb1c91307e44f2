// Package hooktest is a host for tests of a hook's functions, without a component.
//
//	func TestABlockedWordIsRefused(t *testing.T) {
//		host := hooktest.New(t)
//		host.Config = settings{Blocked: []string{"frobnicate"}}
//		host.Content = hooktest.Text("please frobnicate")
//		if err := preTurn(preturn.Call{}); err != nil {
//			t.Fatal(err)
//		}
//		host.Expect(`reject("blocked-word", "The message was blocked.", null)`)
//	}
//
// The host gives the hook the data of the test and keeps the hook's answers. It does not check grants or limits, and it
// does not apply answers: the cases of `portcullis test` do. Tests that have a host cannot run in parallel.
package hooktest

import (
	"slices"
	"testing"

	"portcullis/contract"
	"portcullis/http"
	"portcullis/internal/fake"
)

// Host is a host for tests. Its fields may be changed between calls.
type Host struct {
	// The configuration; its JSON is the table in hooks.toml.
	Config any
	// The facts of the call, by their names in the contract, such as name; a missing fact is zero. A fact whose type
	// is optional is the value itself. The key facts has the record of all facts.
	Facts map[string]any
	// The session, the agent, the turn and the step of the call.
	Context contract.Context

	Content      []contract.ContentPart
	Conversation []contract.Message
	// The index of the turn's first message.
	TurnStart    uint32
	ToolInput    string
	ToolOutput   *string
	Tools        []contract.ToolSpec
	Policies     []contract.DomainPolicy
	ContextItems []contract.ContextItem
	Sections     []contract.PromptSection
	Queries      []string
	// The values of the agent's state, as JSON, with the changes of the hook.
	AgentState map[string]string
	// The change of the agent's state, as JSON.
	AgentStateDiff string
	// The hook that made the change, if a hook did.
	AgentStateChangedBy *string
	User                *string
	WorkingDir          *string
	Parent              *string
	Metadata            [][2]string
	Verdict             *contract.ChainVerdict

	State map[string][]byte
	// The values by namespace. Other namespaces are denied.
	SharedState map[string]map[string][]byte
	Secrets     map[string]string
	// The function that writes the model's text.
	Model func(instructions, prompt string) (string, error)
	// The function that answers requests.
	HTTP func(http.Request) (*http.Response, error)

	// The hook's answers so far, such as reject("code", "reason", null).
	Answers []string
	// The hook's log lines so far, such as info: a message.
	Logs []string
	// The hook's events so far, such as name: {"key":1}.
	Events []string

	t testing.TB
}

// New returns a host for a test. It is in use until the test ends.
func New(t testing.TB) *Host {
	host := &Host{
		Facts:          map[string]any{},
		Context:        contract.Context{SessionID: "test", Agent: "main", Turn: 1, Step: 1},
		AgentState:     map[string]string{},
		AgentStateDiff: "{}",
		State:          map[string][]byte{},
		SharedState:    map[string]map[string][]byte{},
		Secrets:        map[string]string{},
		t:              t,
	}
	before := fake.Host
	fake.Host = host.call
	t.Cleanup(func() { fake.Host = before })
	return host
}

// Text returns content of one text.
func Text(text string) []contract.ContentPart {
	return []contract.ContentPart{contract.ContentPartText(text)}
}

// Expect fails the test if the hook did not give exactly these answers since the last Expect: none if it continued,
// and several only where it contributes.
func (h *Host) Expect(answers ...string) {
	h.t.Helper()
	if !slices.Equal(h.Answers, answers) {
		h.t.Errorf("the hook answered %q, expected %q", h.Answers, answers)
	}
	h.Answers = nil
}
