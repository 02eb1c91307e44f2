package config_test

import (
	"encoding/json"
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
		`"allOf":[{"additionalProperties":false,"properties":{` +
		`"blocked":{"description":"The words.","items":{"type":"string"},"type":"array"},` +
		`"limit":{"default":5,"type":"integer"},` +
		`"rule":{"$ref":"#/$defs/rule"},` +
		`"share":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["blocked"],"type":"object"}]}`
	if string(text) != expected {
		t.Errorf("%s\nexpected\n%s", text, expected)
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
