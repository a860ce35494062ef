import { type Item, isItem } from '../../../domain/json/json-item.ts';
import { ownValue } from '../../../domain/json/own-value.ts';
import {
  type AlertEventType,
  categoryEvents,
  type EventData,
  type NotificationTemplateCategory,
} from '../../../domain/routing/notification-event.ts';
import { ruleTypeIds } from '../../../domain/rules/rule-types.ts';
import { alertSeverities } from '../../../domain/rules/severity.ts';
import { sampleEvent } from '../../../domain/templates/sample-events.ts';
import { type TemplateVariable, variablesOf } from '../../../domain/templates/template-variables.ts';
import { invalidField } from '../../../platform/errors.ts';

/**
 * Returns the sample event of a category with the caller's values, such as `{alert: {severity: 'high'}}`.
 * Rejects values that don't match the name and the type of a variable, so that presets and templates receive
 * only data that a real event can contain.
 */
export function sampleWithOverrides(category: NotificationTemplateCategory, overrides: Item = {}): EventData {
  const [first] = categoryEvents[category];
  const event = overrides['event'] ?? first;
  const isOfCategory = categoryEvents[category].some((name) => name === event);
  if (!isOfCategory)
    throw invalidField('sample.event', `must be one of: ${categoryEvents[category].join(', ')}`);
  const sample = structuredClone(sampleEvent(event as AlertEventType));
  merge(sample, overrides, '', variablesOf(category));
  return sample;
}

/**
 * Sets values in a sample. Only variables of the category are set, and only to values of their types, so the
 * sample keeps its type.
 */
function merge(
  target: object,
  overrides: Item,
  prefix: string,
  variables: readonly TemplateVariable[],
): void {
  for (const [name, value] of Object.entries(overrides)) {
    const path = prefix + name;
    const variable = variables.find((each) => each.name === path);
    if (variable) {
      checkValue(variable, value);
      Object.assign(target, { [name]: value });
    } else if (variables.some((each) => each.name.startsWith(`${path}.`))) {
      if (!isItem(value)) throw invalidField(`sample.${path}`, 'must be an object');
      merge(partOf(target, name), value, `${path}.`, variables);
    } else {
      throw invalidField(`sample.${path}`, "isn't a variable of this category");
    }
  }
}

function partOf(target: object, name: string): object {
  const part: unknown = Reflect.get(target, name);
  if (!isItem(part)) throw new TypeError(`The sample has no object ${name}`);
  return part;
}

/** Allowed values of variables whose type alone isn't strict enough. */
const choices: Readonly<Record<string, readonly string[]>> = {
  'alert.severity': alertSeverities,
  'alert.previous_severity': alertSeverities,
  'alert.rule_type': ruleTypeIds,
  'alert.status': ['unacknowledged', 'acknowledged', 'resolved'],
  'alert.reason': [
    'behind',
    'end_of_life',
    'fix_available',
    'known_vulnerabilities',
    'release_moved',
    'upstream_silent',
    'version_not_found',
    'version_unparseable',
  ],
};

function checkValue({ name, type, isNullable }: TemplateVariable, value: unknown): void {
  if (value === null && isNullable) return;
  if (!hasType(type, value)) {
    throw invalidField(`sample.${name}`, `must be ${typeLabels[type]}${isNullable ? ' or null' : ''}`);
  }
  const allowed = ownValue(choices, name);
  if (allowed && !allowed.includes(String(value))) {
    throw invalidField(`sample.${name}`, `must be one of: ${allowed.join(', ')}`);
  }
}

const typeLabels: Record<TemplateVariable['type'], string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  map: 'an object of strings',
  list: 'a list',
};

function hasType(type: TemplateVariable['type'], value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'map':
      return isItem(value) && Object.values(value).every((each) => typeof each === 'string');
    case 'list':
      return Array.isArray(value);
  }
}
