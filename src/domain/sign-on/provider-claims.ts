/** A provider's claims about a person, from the ID token and the user info endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns a claim by its name, which can contain dots, or otherwise by its path: `groups`,
 * `https://example.com/groups`, `realm_access.roles`. Undefined if the claim doesn't exist.
 */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/**
 * Maximum number of groups of a person. Further groups are ignored, because each is compared with each group
 * of the operator.
 */
const maxGroups = 5_000;

/**
 * Returns the groups of a person. `null` if the provider doesn't report groups, `too_many` if it reports that
 * they don't fit into a token (Microsoft Entra ID then provides a URL to fetch them from).
 */
export function groupsOf(claims: Claims, name: string): readonly string[] | null | 'too_many' {
  const value = findClaim(claims, name);
  if (value === undefined) {
    const elsewhere = claims['_claim_names'];
    const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
    return isElsewhere || claims['hasgroups'] === true || claims['hasgroups'] === 'true' ? 'too_many' : null;
  }
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.filter((group): group is string => typeof group === 'string').slice(0, maxGroups);
}

/**
 * True if each required claim has one of its allowed values. A claim with a list has a value if one of the
 * list's items equals that value.
 */
export function meetsRequirements(
  claims: Claims,
  required: Readonly<Record<string, readonly string[]>>,
): boolean {
  return Object.entries(required).every(([name, allowed]) => {
    const value = findClaim(claims, name);
    const given = Array.isArray(value) ? value : [value];
    return given.some((each) => isPlain(each) && allowed.includes(String(each)));
  });
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export interface EmailClaim {
  email: string | null;
  isVerified: boolean;
}

export function emailOf(claims: Claims): EmailClaim {
  const { email, email_verified: verified } = claims;
  // Some providers send `email_verified` as a string.
  return {
    email: typeof email === 'string' && email.trim() !== '' ? email.trim() : null,
    isVerified: verified === true || verified === 'true',
  };
}

/** Returns the person's name or, without one, the part of the email address before the `@`. */
export function nameOf(claims: Claims, email: string): string {
  const names = [claims['name'], claims['preferred_username'], claims['nickname'], email.split('@')[0]];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? email;
  // Remove control and format characters, because they can change how the surrounding line is displayed.
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
