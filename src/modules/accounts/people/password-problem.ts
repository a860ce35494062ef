/**
 * Checks a password that didn't come through the API against the rule of the API contract. Returns null if the password
 * is valid.
 */
export function passwordProblem(password: string): string | null {
  return password.length < 8 || password.length > 1_000 ? 'must have 8 to 1,000 characters' : null;
}
