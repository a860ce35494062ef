import type { Section } from '../../domain/configuration/kinds.ts';
import schema from '../../generated/configuration-schema.json' with { type: 'json' };
import type { Item } from '../call-operation.ts';

/** JSON Schema of a configuration file. */
export const configurationSchema: Readonly<Record<string, unknown>> = schema;

/** Returns the fields of an entry with their schemas, in the order in which they are written to the file. */
export function fieldsOf(section: Section): [string, Item][] {
  return Object.entries(schema.properties[section].items.properties);
}

/** True if an entry must have a field. */
export function isRequired(section: Section, field: string): boolean {
  return schema.properties[section].items.required.includes(field);
}
