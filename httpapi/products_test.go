package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

// TestProductsAsOfARelease changes a weight between two releases. Each release keeps its own.
func TestProductsAsOfARelease(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	key, served := f.Key(state.Research), map[string]string{}
	m := milkMarket(panel.Observation{ID: 1, Store: 1, ObservedAt: f.Clock.Now().AddDate(0, 0, -5)}, panel.Observation{ID: 2, Store: 1, ObservedAt: f.Clock.Now().AddDate(0, 0, 2)})
	for i, weight := range []float64{1, 0.25} {
		m.Products[0].Weight = weight
		x.Publish(t, f, m.Snapshot(t), "", "revision", "restatement")
		f.Look(false)
		asked := f.Clock.Now().Add(time.Minute).Format(time.RFC3339)
		f.Clock.Advance(7 * 24 * time.Hour)
		now := withoutDate(f.Get("/api/v1/products", key).Content)
		if served[asked], served[fmt.Sprint("r", i+1)] = now, now; !strings.Contains(now, fmt.Sprintf(`"unit":"mL","basket_weight":%g}`, weight)) {
			t.Errorf("release %d has %s", i+1, now)
		}
		for asked, want := range served {
			if got := withoutDate(f.Get("/api/v1/products?as_of="+asked, key).Content); got != want {
				t.Errorf("as of %s: %s\nwant %s", asked, got, want)
			}
		}
	}
	if before := f.Get("/api/v1/products?as_of=2026-01-01T00:00:00Z", key).JSON(t); at(before, "meta.count") != "0" {
		t.Errorf("before the first release: %v", before)
	}
	apitest.WantError(t, "unknown", f.Get("/api/v1/products?as_of=r3", key), http.StatusBadRequest, "invalid_parameter")
}

// TestExamplesOfRefusals sends what a refusal gives as an example. It is accepted.
func TestExamplesOfRefusals(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	const path = "/api/shopper/compare"
	for _, bad := range []string{"[]", "{", `{"city":"toronto"}`, `{"items":[]}`, `{"city":"toronto","items":[{"id":1,"qty":1}],"day":1}`} {
		message := f.Post(path, bad).JSON(t)["error"].(map[string]any)["message"].(string)
		example := message[strings.LastIndex(message, "send"):]
		if i := strings.Index(example, `{"city"`); i < 0 || f.Post(path, example[i:]).StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	for _, bad := range []string{"", "?city=toronto", "?city=toronto&items=1&day=1", "?city=toronto&items=1&items=2", "?%zz"} {
		message := f.Get(path+bad, "").JSON(t)["error"].(map[string]any)["message"].(string)
		if i := strings.Index(message, "city="); i < 0 || f.Get(path+"?"+message[i:], "").StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	message := f.Get(path+"?city=toronto&items=1&stores=%20", "").JSON(t)["error"].(map[string]any)["message"].(string)
	_, chain, _ := strings.Cut(message, "such as ")
	chain, _, _ = strings.Cut(chain, ",")
	if f.Get(path+"?city=toronto&items=1&stores="+chain, "").StatusCode != http.StatusOK {
		t.Error(message)
	}
	for _, unknown := range []string{path + "?city=toronto&items=1&day=1", "/api/v1/index?day=1"} {
		if got := f.Get(unknown, f.Key(state.Standard)); !strings.Contains(string(got.Content), "leave it out") {
			t.Errorf("%s: %s", unknown, got.Content)
		}
	}
}
