/**
 * Maximum size of a file that is read, in bytes. Real manifests are smaller, and larger files contain data.
 */
export const maxFileBytes = 1024 * 1024;

/**
 * Maximum size of one `.env` file and of all `.env` files in a scan, in bytes. Real files have about 2 KB.
 */
export const maxDotenvBytes = 64 * 1024;
export const maxAllDotenvBytes = 4 * 1024 * 1024;

/** Maximum number of documents parsed in one file. The largest real files have a few hundred. */
export const maxDocuments = 2_000;

/** Maximum number of values visited in one document, including values that aliases repeat. */
export const maxVisitedValues = 100_000;

/** Maximum number of facts in one file. */
export const maxFactsPerFile = 5_000;

/** Maximum number of combinations of generator elements in one ApplicationSet. */
export const maxElements = 1_000;

/** Maximum number of items in one scan. */
export const maxItems = 50_000;

/**
 * Maximum number of items in one discovery job, including missing items, which can accumulate: a repository
 * can contain different items in every commit.
 */
export const maxStoredItems = 2 * maxItems;

/**
 * Maximum length of a document without versions whose syntax is checked, in characters. Documents that people
 * write are shorter.
 */
export const maxCheckedCharacters = 64 * 1024;

/**
 * Maximum number of files in one scan, selected by name. The largest public repositories have about 20,000.
 */
export const maxScannedFiles = 100_000;
