// The categories of a publication that has its own, by slug, each to its name in the page's language; or null.

const known = globalThis.document?.getElementById("categories-known");
export const own = known ? new Map([...known.options].map(({ dataset, value }) => [dataset.slug, value])) : null;
