/** The contract's `format: email`: what a mail server makes of the rest is for it to say. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

export const emailProblem = 'must be an email address such as ana@example.com';
