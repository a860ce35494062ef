import { withAsciiDomain } from '../text/ascii-domain.ts';

/**
 * Normalizes addresses for storage and comparison, so that two recipients never differ only in case or in the
 * form of an internationalized domain.
 */
export function normalizeRecipients(recipients: readonly string[]): string[] {
  return [...new Set(recipients.map(normalizeRecipient))];
}

export function normalizeRecipient(address: string): string {
  return withAsciiDomain(address.toLowerCase());
}

/** True if the operator allows all addresses of the domain. Subdomains aren't included. */
export function isInDomains(address: string, domains: readonly string[]): boolean {
  return domains.includes(address.slice(address.lastIndexOf('@') + 1));
}
