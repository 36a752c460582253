// What series and categories are called.

// In the order of the interface. The headline has no category there.
export const categories = new Map([
  ["dairy", "Dairy"], ["meat", "Meat"], ["bakery", "Bakery"],
  ["produce_fruit", "Fruit"], ["produce_veg", "Vegetables"], ["pantry", "Pantry"],
  ["frozen", "Frozen"], ["beverages", "Beverages"], ["household", "Household"],
]);

export const headline = "overall";

// categoryName names a slug; one that is newer than this page keeps its own.
export function categoryName(slug) {
  return slug === headline ? "All groceries" : categories.get(slug) ?? slug;
}

// placeName names where a series or a row is from. Banners have only their keys
// in the index.
export function placeName({ level, city, banner }) {
  if (level === "national") return "Canada";
  return level === "city" ? city : `${banner} in ${city}`;
}

export function seriesName(series) {
  return `${placeName(series)}: ${categoryName(series.category).toLowerCase()}`;
}

// seriesKey is the id of a series in this page.
export function seriesKey({ level, city, banner, category }) {
  return [level, city, banner, category].filter(Boolean).join(":");
}
