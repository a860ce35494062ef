/** Bytes of one file that are read. Real manifests are smaller; larger files hold data. */
export const maxFileBytes = 1024 * 1024;

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
