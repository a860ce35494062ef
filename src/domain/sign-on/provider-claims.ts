/** A provider's claims about a person: those of the ID token, completed by the user info endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * A claim by its name, which may have dots, or else by its path: `groups`, `https://example.com/groups`,
 * `realm_access.roles`. Undefined when there is none.
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

/** Of a person; more are cut off, since each is compared with each of the operator's. */
const maxGroups = 5_000;

/**
 * The groups of a person. Null when the provider says nothing about them, `too_many` when it says that they don't fit
 * into a token (Microsoft Entra ID then names a place to fetch them from).
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

/** Whether the person has each of the required claims with one of its values. A list has a value if one of its items is it. */
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
  // Some providers send it as a string.
  return {
    email: typeof email === 'string' && email.trim() !== '' ? email.trim() : null,
    isVerified: verified === true || verified === 'true',
  };
}

/** The person's name; without one, the part of the email address before the `@`. */
export function nameOf(claims: Claims, email: string): string {
  const names = [claims['name'], claims['preferred_username'], claims['nickname'], email.split('@')[0]];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? email;
  // Nothing that changes how the line around it reads.
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
