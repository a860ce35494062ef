/**
 * How files are read. Facts of another version are read again, so raise it with every change of an extractor that changes
 * what it finds.
 */
export const factsVersion = 11;
