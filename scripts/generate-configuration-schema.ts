/**
 * Generates the JSON Schema of a configuration file from the contract. Editors use the schema for completion
 * and validation, and `apply` uses it to read files. The fields are those of the create requests, with names
 * instead of the IDs of the API.
 */
import {
  artifactField,
  kinds,
  type ResourceKind,
  type Section,
  templateSettings,
  trackedField,
} from '../src/domain/configuration/kinds.ts';

type Schema = Record<string, unknown>;

/**
 * Returns the JSON Schema of a configuration file.
 * @param components The schemas of the contract, by name.
 */
export function configurationSchema(components: Readonly<Record<string, Schema>>): Schema {
  const used: Record<string, Schema> = {};
  const take = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(take);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        // A configuration file contains only data of requests, so disallow unknown properties. The schemas
        // that requests share with responses allow them.
        if (key === 'unevaluatedProperties') return [];
        if (key !== '$ref' || typeof inner !== 'string') return [[key, take(inner)]];
        const name = inner.split('/').at(-1)!;
        if (!(name in used)) {
          used[name] = {};
          const isOpen = 'properties' in components[name]! && !('additionalProperties' in components[name]!);
          used[name] = take({
            ...components[name],
            ...(isOpen && { additionalProperties: false }),
          }) as Schema;
        }
        return [[key, `#/$defs/${name}`]];
      }),
    );
  };
  const sections = kinds.map((kind) => [kind.section, sectionSchema(kind, components, take)]);
  const templates = Object.keys(templateSettings).map((category) => [
    category,
    take({ $ref: '#/components/schemas/TemplateBody' }),
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of a Pacekeeper organization',
    description: 'What `pacekeeper export` writes and `pacekeeper apply` makes true.',
    type: 'object',
    additionalProperties: false,
    properties: {
      settings: {
        type: 'object',
        description: 'Settings of the organization, by their keys. `pacekeeper get settings` shows all.',
        properties: {
          default_notification_channel: {
            description:
              'The channel for events that no notification rule routes, and for rules without channels.',
            anyOf: [{ $ref: '#/$defs/Reference' }, { type: 'null' }],
          },
          default_rule: {
            description: 'The rule of the alert configurations that reports of deployments create.',
            anyOf: [{ $ref: '#/$defs/Reference' }, { type: 'null' }],
          },
        },
        additionalProperties: true,
      },
      templates: {
        type: 'object',
        description: 'Notification templates of the organization, by category.',
        additionalProperties: false,
        properties: Object.fromEntries(templates),
      },
      ...Object.fromEntries(sections),
    },
    $defs: { Key: key, Reference: reference(false), JobReference: reference(true), ...used },
  };
}

const key: Schema = {
  description: 'Tells things of one kind apart that have the same name: 1 is the oldest of them, 2 the next.',
  type: ['integer', 'string'],
  minimum: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_.-]+$',
};

function reference(mayBeGlobal: boolean): Schema {
  return {
    description: 'The name of another thing; with its `key` where several have the name.',
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 200 },
      {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 200 },
          key: { $ref: '#/$defs/Key' },
          ...(mayBeGlobal && {
            scope: { description: 'A job that the operator offers to all organizations.', const: 'global' },
          }),
        },
      },
    ],
  };
}

function sectionSchema(
  { section, createSchema, references, nameField }: ResourceKind,
  components: Readonly<Record<string, Schema>>,
  take: (value: unknown) => unknown,
): Schema {
  const request = components[createSchema]!;
  const { name, ...members } = request['properties'] as Record<string, Schema>;
  const properties = Object.entries(members).map(([member, schema]) => {
    const refers = references[member];
    if (section === 'gather_jobs' && member === artifactField)
      return [member, artifact(take(schema) as Schema)];
    if (!refers) return [member, take(schema)];
    const target = { $ref: refers.section === 'gather_jobs' ? '#/$defs/JobReference' : '#/$defs/Reference' };
    const { description, type } = schema;
    if (!refers.isList) return [refers.field, { ...target, description }];
    const isNullable = Array.isArray(type) && type.includes('null');
    const list = {
      type: isNullable ? ['array', 'null'] : 'array',
      items: target,
      default: schema['default'],
    };
    return [refers.field, { ...list, description }];
  });
  const fieldOf = (member: string) => references[member]?.field ?? member;
  const required = (request['required'] as string[]).map(fieldOf);
  return {
    type: 'array',
    items: {
      type: 'object',
      description: request['description'],
      additionalProperties: false,
      ...(section === 'gather_jobs' || section === 'scrape_jobs'
        ? { required: ['name'], anyOf: [{ required: ['fed_by'] }, { required }] }
        : { required }),
      properties: {
        // Names aren't unique, so files also contain keys. A kind that is identified by another, unique field
        // needs no key.
        ...(nameField === undefined && { name: take(name), key: { $ref: '#/$defs/Key' } }),
        ...extraProperties[section],
        ...Object.fromEntries(properties),
      },
    },
  };
}

/**
 * Returns the schema of an artifact. It also accepts a reference to a scrape job, which files use for
 * `deployed_versions`.
 */
function artifact({ description, ...text }: Schema): Schema {
  return {
    description,
    anyOf: [
      text,
      {
        type: 'object',
        description: 'For `deployed_versions`: the scrape job.',
        additionalProperties: false,
        required: [trackedField],
        properties: { [trackedField]: { $ref: '#/$defs/Reference' } },
      },
    ],
  };
}

const extraProperties: Partial<Record<Section, Schema>> = {
  gather_jobs: {
    fed_by: {
      type: 'object',
      description: 'The helm sync job that makes and feeds this job, and the chart that it follows.',
      additionalProperties: false,
      required: ['helm_sync_job', 'chart'],
      properties: {
        helm_sync_job: { $ref: '#/$defs/Reference' },
        chart: { type: 'string', minLength: 1, maxLength: 1_000 },
      },
    },
  },
  scrape_jobs: {
    fed_by: {
      type: 'object',
      description: 'The discovery job that feeds this job, and the key of the item that it follows.',
      additionalProperties: false,
      required: ['discovery_job', 'key'],
      properties: {
        discovery_job: { $ref: '#/$defs/Reference' },
        key: { type: 'string', minLength: 1, maxLength: 1_500 },
        discriminator: {
          type: 'string',
          description: 'Tells items apart that have the same key.',
          maxLength: 600,
          default: '',
        },
      },
    },
    version: {
      type: 'string',
      description: 'Only for manual jobs: the version that is deployed. It is data, so few files have it.',
      minLength: 1,
      maxLength: 256,
    },
  },
};
