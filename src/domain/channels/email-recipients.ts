/** The form in which addresses are stored and compared: no two recipients differ only in case. */
export function normalizeRecipients(recipients: readonly string[]): string[] {
  return [...new Set(recipients.map((address) => address.toLowerCase()))];
}

/** Whether the operator allows all addresses of the domain. A domain doesn't include its subdomains. */
export function isInDomains(address: string, domains: readonly string[]): boolean {
  return domains.includes(address.slice(address.lastIndexOf('@') + 1));
}
