package mcp

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
)

type schema = jsonschema.Schema

// The forms of the arguments. The tools check them by themselves, so that a refusal
// is in words for an agent.
var (
	catalogIn = object(nil, nil)
	findIn    = object([]string{"texts"}, map[string]*schema{
		"texts": {
			Type: "array", MinItems: new(1), MaxItems: new(find.MaxTexts), Items: &schema{Type: "string"},
			Description: `The shopper's words, one text for each item, such as "2 dozen eggs" or "1,5 kg de poulet".`,
		},
	})
	compareIn = object([]string{"city", "items"}, map[string]*schema{
		"city": {Type: "string", Description: `The slug of a city of the catalog, such as "toronto". There is no default.`},
		"items": {
			Type: "array", MinItems: new(1), MaxItems: new(compare.MaxItems), Description: "The list, each id once.",
			Items: object([]string{"id", "qty"}, map[string]*schema{
				"id": {Type: "integer", Minimum: new(1.0), Maximum: new(float64(compare.MaxItemID)), Description: "The id of an item, from find_items or the catalog."},
				"qty": {
					Type: "number", Minimum: new(0.25), Maximum: new(20.0), MultipleOf: new(0.25),
					Description: "Whole packages, 1 to 20; of items sold by weight kilograms, 0.25 to 10 in steps of 0.25.",
				},
			}),
		},
		"stores": {
			Type: "array", MaxItems: new(compare.MaxStores), UniqueItems: true, Items: &schema{Type: "string"},
			Description: "Keys of the chains to compare. Leave it out for all chains of the city.",
		},
		"include": {
			Type: "array", MaxItems: new(1), Items: &schema{Const: new(any(compare.IncludeLines))},
			Description: `Send ["lines"] for what was priced at every chain. What was priced at the first chain is there anyway.`,
		},
		"conditions": {
			Type: "array", MaxItems: new(len(compare.Conditions)), UniqueItems: true, Items: &schema{Enum: []any{compare.Conditions[0], compare.Conditions[1]}},
			Description: "Conditions of sales that the shopper meets: has the chain's card, buys several. Sale prices with such a condition count then.",
		},
	})
)

// object returns the schema of an object with these members and no others.
func object(required []string, members map[string]*schema) *schema {
	return &schema{Type: "object", Properties: members, Required: required, AdditionalProperties: &schema{Not: &schema{}}}
}

// schemaOf returns the schema of a structured result.
func schemaOf[T any]() *schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*schema{
		reflect.TypeFor[compare.Money]():    {Types: []string{"number", "null"}},
		reflect.TypeFor[compare.Date]():     {Types: []string{"string", "null"}, Format: "date"},
		reflect.TypeFor[compare.Quantity](): {Type: "number"},
	}})
	if err != nil {
		panic("mcp: " + err.Error()) // a type without a JSON form
	}
	withoutNull(s)
	return s
}

// withoutNull says that lists are never null.
func withoutNull(s *schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	withoutNull(s.Items)
	withoutNull(s.AdditionalProperties)
	for _, p := range s.Properties {
		withoutNull(p)
	}
}
