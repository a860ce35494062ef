/** The rule of the contract, for passwords that don't come through it. Null for one that can be used. */
export function passwordProblem(password: string): string | null {
  return password.length < 8 || password.length > 1_000 ? 'must have 8 to 1,000 characters' : null;
}
