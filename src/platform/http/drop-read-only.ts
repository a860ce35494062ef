import { invalidField } from '../errors.ts';
import type { ContractOperation } from './contract.ts';

/**
 * Removes read-only fields from a request, so that clients can send a response back unchanged. A field that
 * identifies the resource must match the path.
 */
export function dropReadOnly(
  { readOnlyFields }: ContractOperation,
  body: unknown,
  path: Readonly<Record<string, unknown>>,
): void {
  if (typeof body !== 'object' || body === null) return;
  const members = body as Record<string, unknown>;
  for (const field of readOnlyFields) {
    if (!Object.hasOwn(members, field)) continue;
    if (Object.hasOwn(path, field) && members[field] !== path[field]) {
      throw invalidField(
        field,
        `can't be changed: it must be ${String(path[field])}, as in the path, or absent`,
      );
    }
    delete members[field];
  }
}
