/** Pattern of the label keys that the API contract allows. */
export const labelKeyPattern = '^[A-Za-z][A-Za-z0-9_./-]{0,62}$';

/** Error text for an invalid label key, as the end of a sentence. */
export const labelKeyProblem =
  "isn't a valid label key; start with a letter, then use letters, digits, or _ . / - (up to 63 characters)";
