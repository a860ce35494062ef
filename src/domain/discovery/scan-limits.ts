/** Bytes of one file that are read. Real manifests are smaller; larger files hold data. */
export const maxFileBytes = 1024 * 1024;

/** Bytes of one `.env` file, and of all of them in a scan. Real files have about 2 KB. */
export const maxDotenvBytes = 64 * 1024;
export const maxAllDotenvBytes = 4 * 1024 * 1024;

/** Documents of one file that are parsed. The largest real files have some hundreds. */
export const maxDocuments = 2_000;

/** Values of one document that are visited, also when aliases repeat them. */
export const maxVisitedValues = 100_000;

/** Facts of one file. */
export const maxFactsPerFile = 5_000;

/** Combinations of generator elements of one ApplicationSet. */
export const maxElements = 1_000;

/** Items of one scan. */
export const maxItems = 50_000;

/** Items of one discovery job, with those that are gone: a repository can have others in every commit. */
export const maxStoredItems = 2 * maxItems;

/** Characters of a document without versions whose syntax is checked. What people write is shorter. */
export const maxCheckedCharacters = 64 * 1024;

/** Files of one scan, from their names. The largest public repositories have some 20,000. */
export const maxScannedFiles = 100_000;
