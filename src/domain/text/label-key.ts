/** The keys that labels can have, as the contract says. */
export const labelKeyPattern = '^[A-Za-z][A-Za-z0-9_./-]{0,62}$';

/** What is wrong with another key, as the end of a sentence about it. */
export const labelKeyProblem =
  "isn't a valid label key; start with a letter, then use letters, digits, or _ . / - (up to 63 characters)";
