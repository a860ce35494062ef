import { type AddHelpTextContext, Help } from 'commander';
import { pluralOf } from '../../domain/text/plural.ts';
import { isItem } from '../call-operation.ts';
import { resolvedSchema, type Schema, schemaOf } from '../contract-document.ts';
import { isList, referencedResource } from './body-fields.ts';
import { isNameOf, resourceByName } from './find-resource.ts';
import { resources } from './resource-table.ts';

const generalHelp =
  '\nFields are those of the API: see /api/v1/swagger on your server, and docs/cli.md for examples.\nTo print only the new ID, use -o name.';

/**
 * Returns a help text that lists the fields in the request body of the resource on the command line, as in
 * `create rule --help`. Without a resource, the text explains how to list them.
 */
export function fieldHelp(
  verb: 'create' | 'update',
  columns: number | null,
): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const typed = command.args.map((arg) => arg.toLowerCase().replaceAll('_', '-'));
    const [resource] = typed.flatMap((name) => resources.filter((each) => isNameOf(each, name)));
    const schemaName = resource?.[`${verb}Schema`];
    if (!resource || schemaName === undefined || resource[verb] === undefined)
      return `${generalHelp}\nTo list the fields of a resource, add its name, as in 'pacekeeper ${verb} ${verb === 'create' ? 'rule' : 'channel'} --help'.`;
    const help = new Help();
    help.prepareContext({ helpWidth: columns ?? 100 });
    const fields = fieldsOf(schemaName);
    const width = Math.max(...fields.map(({ name }) => name.length));
    const lines = fields.map(({ name, description }) => help.formatItem(name, width, description, help));
    return `\nFields of ${resource.name}:\n${lines.join('\n')}\n${generalHelp}`;
  };
}

/** Returns the fields that a request can set. Fields that are accepted only because responses have them are omitted. */
function fieldsOf(schemaName: string): { name: string; description: string }[] {
  const { properties, required } = schemaOf(schemaName);
  const requiredFields: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isItem(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isItem(property) || String(property['$ref']).endsWith('/ReadOnlyMember')) return [];
    // A description next to a reference replaces that of the referenced schema.
    const schema = { ...resolvedSchema(property), ...property };
    const target = referencedResource(name);
    const type = target === undefined ? typeOf(schema) : referenceType(target, schema);
    const { description, default: defaultValue } = schema;
    const sentence = typeof description === 'string' ? firstSentence(description) : '';
    const note = requiredFields.includes(name) ? ' (required)' : defaultNote(defaultValue);
    return [{ name, description: `[${type}] ${sentence}${note}` }];
  });
}

function referenceType(target: string, schema: Schema): string {
  const { word } = resourceByName(target);
  return isList(schema) ? `IDs or names of ${pluralOf(word)}` : `${word}: ID or name`;
}

/** Describes a type as a person would write its values: `low | high`, `list of string`, or `object with days, hours`. */
function typeOf(schema: Schema): string {
  const resolved = resolvedSchema(schema);
  const { type, format, enum: values, anyOf, oneOf, items, properties, additionalProperties } = resolved;
  if (Array.isArray(values)) return values.filter((value) => value !== null).join(' | ');
  const options = anyOf ?? oneOf;
  if (type === undefined && Array.isArray(options)) {
    const types = options.filter(isItem).filter((option) => option['type'] !== 'null');
    return [...new Set(types.map(typeOf))].join(' or ');
  }
  const types = [type].flat().filter((each) => each !== undefined && each !== 'null');
  if (types.includes('array')) return `list of ${isItem(items) ? typeOf(items) : 'value'}`;
  if (isItem(properties)) return `object with ${Object.keys(properties).join(', ')}`;
  if (isItem(additionalProperties)) return `map of ${typeOf(additionalProperties)}`;
  if (format === 'date-time') return 'time';
  return types.length === 0 ? 'value' : types.join(' or ');
}

/** Formats a default value. Empty defaults are omitted, because an optional field is empty anyway. */
function defaultNote(value: unknown): string {
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? '' : ` (default: ${typeof value === 'string' ? value : JSON.stringify(value)})`;
}

/** Returns the first sentence as plain text. The descriptions in the contract are Markdown. */
function firstSentence(description: string): string {
  const end = description.search(/\.\s+[A-Z`"]/);
  return (end < 0 ? description : description.slice(0, end + 1))
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
