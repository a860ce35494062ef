/**
 * Version of the extraction. Facts with a different version are extracted again, so increment it whenever a
 * change to an extractor affects its results.
 */
export const factsVersion = 33;
