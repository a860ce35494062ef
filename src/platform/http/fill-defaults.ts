import { bodyDefaults } from '../../generated/body-defaults.ts';
import type { OperationId } from './operation.ts';

/** Sets each top-level field that a valid body omits to the default of the contract. */
export function fillDefaults(operationId: OperationId, body: unknown): void {
  const defaults = Object.hasOwn(bodyDefaults, operationId)
    ? bodyDefaults[operationId as keyof typeof bodyDefaults]
    : {};
  const fields = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(defaults)) {
    if (!Object.hasOwn(fields, name)) fields[name] = structuredClone(value);
  }
}
