/** A provider's claims about a person, from the ID token and the user info endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the claim with this name, which can contain dots, or else the claim at this path: `groups`,
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
 * Maximum number of groups per person. Further groups are ignored, because each one is compared with every group that
 * the operator configured.
 */
const maxGroups = 5_000;

/** The form in which a provider reports groups. */
export interface GroupsShape {
  /**
   * Character that separates groups in a string, such as `,`. Null if a string is always a single group, because group
   * names can contain any character.
   */
  separator: string | null;
  /**
   * Field that contains the group if groups are a list of objects. Null selects the first of `usualFields` that exists.
   */
  field: string | null;
}

/**
 * Fields that usually contain a group if groups are objects, as in SCIM. Names are first, because operators know them.
 */
const usualFields = ['name', 'displayName', 'display_name', 'display', 'path', 'value', 'id'];

/**
 * Returns the groups of a person. The claim can be a list of strings or objects, a string, or an object with
 * groups as keys (Zitadel) and objects or `true` as values. Returns `null` if the provider doesn't report
 * groups. Returns `too_many` if the provider reports that the groups don't fit into a token; Microsoft Entra
 * ID then provides a URL for fetching them.
 */
export function groupsOf(
  claims: Claims,
  name: string,
  shape: GroupsShape = { separator: null, field: null },
): readonly string[] | null | 'too_many' {
  const value = findClaim(claims, name);
  if (value === undefined) {
    const elsewhere = claims['_claim_names'];
    const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
    return isElsewhere || claims['hasgroups'] === true || claims['hasgroups'] === 'true' ? 'too_many' : null;
  }
  if (typeof value === 'string') {
    if (shape.separator === null) return [value];
    const parts = value.split(shape.separator).map((part) => part.trim());
    return parts.filter((part) => part !== '').slice(0, maxGroups);
  }
  if (Array.isArray(value))
    return value
      .map((group: unknown) => nameOfGroup(group) ?? groupOfObject(group, shape))
      .filter((group) => group !== null)
      .slice(0, maxGroups);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, grant]) => grant === true || (typeof grant === 'object' && grant !== null))
    .map(([group]) => group)
    .slice(0, maxGroups);
}

/** Returns the group if it's a string or a number. Some providers use numbers as the IDs of groups. */
function nameOfGroup(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function groupOfObject(value: unknown, { field }: GroupsShape): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = field === null ? usualFields : [field];
  const found = fields.map((name) => findClaim(value as Claims, name)).find((each) => each !== undefined);
  return nameOfGroup(found);
}

/**
 * True if each required claim has one of its allowed values. If a claim is a list, one item with an allowed value is
 * enough.
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

/**
 * Claims that can contain the email address, in order of preference. Microsoft Entra ID often omits `email` and sends
 * only the other two.
 */
export const usualEmailClaims = ['email', 'preferred_username', 'upn'];

export interface EmailClaim {
  email: string | null;
  isVerified: boolean;
}

/**
 * Returns the email address of a person from the first claim that contains one. Account names, such as `upn`,
 * aren't always email addresses, so a value without an `@` is ignored. If a claim is a list, such as `emails`
 * of Azure AD B2C, its first address is used. `email_verified` refers only to a single address in `email`, so
 * other addresses aren't considered verified.
 */
export function emailOf(claims: Claims, names: readonly string[] = usualEmailClaims): EmailClaim {
  for (const name of names) {
    const claim = findClaim(claims, name);
    const value = (Array.isArray(claim) ? claim : [claim]).find(isAddress);
    if (value === undefined) continue;
    const { email_verified: verified } = claims;
    // Some providers send `email_verified` as a string.
    const isVerified = name === 'email' && value === claim && (verified === true || verified === 'true');
    return { email: value.trim(), isVerified };
  }
  return { email: null, isVerified: false };
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.includes('@');
}

/** Returns the person's name or, without one, the part of the email address before the `@`. */
export function nameOf(claims: Claims, email: string): string {
  const names = [claims['name'], claims['preferred_username'], claims['nickname'], email.split('@')[0]];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? email;
  // Removes control and format characters, because they can change how the surrounding line is displayed.
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** Returns the name that the provider reports for a person; null if it reports none. */
export function reportedNameOf(claims: Claims): string | null {
  const { name } = claims;
  return typeof name === 'string' && name.trim() !== '' ? nameOf({ name }, '') : null;
}

/** Maximum number of claim names or groups in a sentence. */
const maxNamed = 20;

/** Lists the claims that a provider sent, without their values, for the operator's log. */
export function describeClaims(claims: Claims): string {
  return `claims received: ${listSome(Object.keys(claims))}`;
}

/** Explains for the operator's log why no group of a person has a role. */
export function describeGroups(claims: Claims, name: string, shape: GroupsShape): string {
  const groups = groupsOf(claims, name, shape);
  if (groups === null) return `the claim "${name}" with the groups is missing; ${describeClaims(claims)}`;
  if (groups === 'too_many') return `the provider excluded the claim "${name}", because it is too large`;
  if (groups.length > 0) return `no group in "${name}" has a role; groups received: ${listSome(groups)}`;
  return `the claim "${name}" has no groups`;
}

/** Explains for the operator's log which required claim is missing or has no allowed value. */
export function explainUnmetRequirement(
  claims: Claims,
  required: Readonly<Record<string, readonly string[]>>,
): string {
  const failed = Object.keys(required).find(
    (name) => !meetsRequirements(claims, { [name]: required[name]! }),
  );
  if (failed === undefined) return '';
  return findClaim(claims, failed) === undefined
    ? `the required claim "${failed}" is missing; ${describeClaims(claims)}`
    : `the claim "${failed}" has none of the values in required_claims`;
}

function listSome(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, maxNamed).map((name) => name.slice(0, 100).replaceAll(/[\p{Cc}\p{Cf}]/gu, ''));
  return shown.join(', ') + (names.length > maxNamed ? `, and ${names.length - maxNamed} more` : '');
}
