package config_test

import (
	"encoding/json"
	"strings"
	"testing"

	"portcullis/config"
	"portcullis/hooktest"
)

type rule struct {
	Tool string `json:"tool"`
	And  []rule `json:"and,omitempty"`
}

type settings struct {
	Blocked []string `json:"blocked" doc:"The words."`
	Limit   int      `json:"limit"`
	Share   *float64 `json:"share"`
	Rule    rule     `json:"rule,omitzero"`
	Hidden  string   `json:"-"`
}

func TestTheSchemaIsThatOfTheType(t *testing.T) {
	schema, err := config.Schema(settings{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	expected := `{"$defs":{"rule":{"additionalProperties":false,"properties":{` +
		`"and":{"items":{"$ref":"#/$defs/rule"},"type":"array"},"tool":{"type":"string"}},"required":["tool"],"type":"object"}},` +
		`"additionalProperties":false,"properties":{` +
		`"blocked":{"description":"The words.","items":{"type":"string"},"type":"array"},` +
		`"limit":{"default":5,"type":"integer"},` +
		`"rule":{"$ref":"#/$defs/rule"},` +
		`"share":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["blocked"],"type":"object"}`
	if string(text) != expected {
		t.Errorf("%s\nexpected\n%s", text, expected)
	}
	root, err := config.Schema(rule{})
	if of, is := root.(map[string]any); err != nil || !is || of["$ref"] != "#/$defs/rule" || of["$defs"] == nil {
		t.Errorf("%v, %v", root, err)
	}
	if _, err := config.Schema(struct{ Channel chan int }{}); err == nil {
		t.Error("a channel has a schema")
	}
}

func TestTheConfigurationIsReadOverTheDefaults(t *testing.T) {
	configured := config.Of(settings{Limit: 5})
	for table, says := range map[string]string{
		`{"blocked":["a"]}`:          "",
		`{"blocked":["a"],"limt":6}`: `unknown field "limt"`,
		`{"blocked":"a"}`:            "`blocked` is a string, and must be of Go's type []string",
	} {
		host := hooktest.New(t)
		host.Config = json.RawMessage(table)
		read, err := configured.Get()
		if says == "" && (err != nil || read.Limit != 5 || read.Blocked[0] != "a") {
			t.Errorf("%s: %v, %v", table, read, err)
		}
		if says != "" && (err == nil || err.Error() != says) {
			t.Errorf("%s: %v", table, err)
		}
	}
}

type shown struct {
	Words []string `json:"words" example:"[\"password\"]"`
	Mode  string   `json:"mode" example:"ask"`
	Most  int      `json:"most"`
	None  bool     `json:"none"`
	Share *float64 `json:"share"`
}

func TestExamplesAreWhatAnOperatorWouldWrite(t *testing.T) {
	schema, err := config.Schema(shown{Mode: "ask", Most: 3}, shown{[]string{"a"}, "ask", 4, false, nil})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(schema)
	for _, expected := range []string{
		`"examples":[{"most":4,"none":false,"words":["a"]}]`,
		`"words":{"examples":[["password"]]`,
		`"examples":["ask"]`,
	} {
		if !strings.Contains(string(text), expected) {
			t.Errorf("no %s in %s", expected, text)
		}
	}
	_, err = config.Schema(struct {
		Most int `json:"most" example:"three"`
	}{})
	if says := "most: the tag example of a int has JSON, and not three"; err == nil || err.Error() != says {
		t.Errorf("%v", err)
	}
}

type places struct {
	Input  string   `json:"input"`
	Output string   `json:"output"`
	Tools  []string `json:"tools,omitempty"`
}

type nested struct {
	Places places         `json:"places"`
	Also   *places        `json:"also"`
	Rules  []rule         `json:"rules"`
	Prices map[string]int `json:"prices"`
}

func TestDefaultsWithinStructsStay(t *testing.T) {
	defaults := nested{
		Places: places{Input: "redact", Output: "off", Tools: []string{"a"}},
		Also:   &places{Input: "redact", Output: "off"},
		Rules:  []rule{{Tool: "a", And: []rule{{Tool: "b"}}}},
		Prices: map[string]int{"a": 1},
	}
	configured := config.Of(defaults)
	for range 2 {
		host := hooktest.New(t)
		host.Config = json.RawMessage(
			`{"places":{"input":"refuse"},"also":{"output":"refuse"},"rules":[{"tool":"c"}],"prices":{"b":2}}`)
		read, err := configured.Get()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(read)
		expected := `{"places":{"input":"refuse","output":"off","tools":["a"]},"also":{"input":"redact","output":"refuse"},` +
			`"rules":[{"tool":"c"}],"prices":{"b":2}}`
		if string(text) != expected {
			t.Errorf("%s\nexpected\n%s", text, expected)
		}
	}
	if defaults.Also.Output != "off" || defaults.Prices["b"] != 0 || defaults.Rules[0].Tool != "a" {
		t.Errorf("the defaults have changed: %v", defaults)
	}
	schema, err := config.Schema(defaults)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(schema)
	if strings.Contains(string(text), `"required":["input"`) {
		t.Errorf("a key that has a default is required: %s", text)
	}
}

type words struct {
	Words []string `json:"words"`
}

type whole struct {
	words `json:",omitempty"`
	Pair  [2]rule  `json:"pair"`
	Own   []string `json:"-"`
}

func TestWhatIsGivenIsAllThereIs(t *testing.T) {
	defaults := whole{words{[]string{"a", "b"}}, [2]rule{{Tool: "a"}, {Tool: "b"}}, []string{"own"}}
	host := hooktest.New(t)
	host.Config = json.RawMessage(`{"words":["c"],"pair":[{"and":[]}]}`)
	read, err := config.Of(defaults).Get()
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Words) != 1 || read.Pair[0].Tool != "" || len(read.Own) != 1 {
		t.Errorf("%v", read)
	}
}
