/** The contract's `format: email`. Only the mail server can decide whether the address exists. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

export const emailProblem = 'must be an email address such as ana@example.com';
