import { requestFields } from '../../generated/request-fields.ts';
import { writeOperations } from '../../generated/resources.ts';

/** Operations that write resources without a list in the contract, or without an operation that creates them. */
const otherOperations = {
  discovered_item: { update: 'updateDiscoveredItem' },
  saved_view: { create: 'createSavedView' },
  setting: { update: 'putOrgOverride' },
  notification_template: { update: 'putOrgOverride' },
  notification_settings: { update: 'putOrgOverride' },
} as const;

/** Resources that people create and edit. */
export type EditedResource = keyof typeof writeOperations | keyof typeof otherOperations;

const operations: Readonly<Record<EditedResource, Readonly<Record<string, keyof typeof requestFields>>>> = {
  ...writeOperations,
  ...otherOperations,
};

/** Fields whose values are never stored in the log. */
const secretFields: readonly string[] = [
  'url',
  'closing_path',
  'headers',
  'preset_options',
  'signing_secret',
  'token',
];

/** Returns the fields that requests can write, except secrets. Changes to other fields aren't edits. */
export function editedFields(resource: EditedResource): ReadonlySet<string> {
  // Include `is_active`, which is changed by toggle requests without fields.
  const names = new Set<string>([
    'is_active',
    ...Object.values(operations[resource]).flatMap((id) => requestFields[id]),
  ]);
  if (resource === 'notification_channel' || resource === 'audit_export')
    for (const name of secretFields) names.delete(name);
  return names;
}
