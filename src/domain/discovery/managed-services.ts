import type { Fact } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { isTemplated, type ReadVersion, readVersion } from './read-version.ts';

/** A managed service, and the product on endoflife.date with the support dates of its versions. */
export interface ManagedService {
  /** Name of the artifact. */
  readonly name: string;
  /**
   * Name of the product: the service itself, or its software if endoflife.date has no product for the
   * service. `null` if the support dates of the service differ from those of the software.
   */
  readonly product: string | null;
}

/** A resource type that states the version of a managed service. */
interface ManagedResource {
  /** Resource types in Terraform. */
  readonly terraform: readonly string[];
  /** Resource types in CloudFormation, without `AWS::`. */
  readonly cloudFormation?: readonly string[];
  /** Kinds of objects, as `SERVICE/Kind`, where the service is the first part of the API group. */
  readonly objects?: readonly string[];
  /**
   * Attributes that contain a version, in Terraform's spelling. A dot separates a block from its attribute.
   */
  readonly versions: readonly string[];
  /** The attribute that contains the engine, which determines the service. */
  readonly engine?: string;
  readonly defaultEngine?: string;
  /** The service, or the services by engine. A version can also contain the engine, as in `POSTGRES_15`. */
  readonly service: ManagedService | ReadonlyMap<string, ManagedService>;
}

const withOwnProduct = (name: string): ManagedService => ({ name, product: name });
/**
 * Returns a service with the support dates of its software, because endoflife.date has no product for the
 * service itself.
 */
const withSoftwareProduct = (name: string, product: string): ManagedService => ({ name, product });
const withoutProduct = (name: string): ManagedService => ({ name, product: null });

const redis = withOwnProduct('amazon-elasticache-redis');
const opensearch = withOwnProduct('amazon-opensearch');

/**
 * Databases of AWS by engine. SQL Server has no product, because its version in RDS doesn't include the
 * service pack.
 */
const databases: ReadonlyMap<string, ManagedService> = new Map([
  ['postgres', withOwnProduct('amazon-rds-postgresql')],
  ['mysql', withOwnProduct('amazon-rds-mysql')],
  ['mariadb', withOwnProduct('amazon-rds-mariadb')],
  ['aurora-postgresql', withOwnProduct('amazon-aurora-postgresql')],
  ['aurora-mysql', withoutProduct('amazon-aurora-mysql')],
  ['aurora', withoutProduct('amazon-aurora-mysql')],
  ...['ee', 'se', 'ex', 'web'].map((edition): [string, ManagedService] => [
    `sqlserver-${edition}`,
    withoutProduct('amazon-rds-sqlserver'),
  ]),
  ...['ee', 'ee-cdb', 'se2', 'se2-cdb'].map((edition): [string, ManagedService] => [
    `oracle-${edition}`,
    withSoftwareProduct('amazon-rds-oracle', 'oracle-database'),
  ]),
  ['db2-se', withoutProduct('amazon-rds-db2')],
  ['db2-ae', withoutProduct('amazon-rds-db2')],
  ['docdb', withOwnProduct('amazon-documentdb')],
  ['neptune', withOwnProduct('amazon-neptune')],
]);

const caches: ReadonlyMap<string, ManagedService> = new Map([
  ['redis', redis],
  ['valkey', withSoftwareProduct('amazon-elasticache-valkey', 'valkey')],
  ['memcached', withSoftwareProduct('amazon-elasticache-memcached', 'memcached')],
]);

const searches: ReadonlyMap<string, ManagedService> = new Map([
  ['opensearch', opensearch],
  ['elasticsearch', withoutProduct('amazon-elasticsearch')],
]);

const cloudSql: ReadonlyMap<string, ManagedService> = new Map([
  ['postgres', withSoftwareProduct('google-cloud-sql-postgresql', 'postgresql')],
  ['mysql', withSoftwareProduct('google-cloud-sql-mysql', 'mysql')],
  ['sqlserver', withoutProduct('google-cloud-sql-sqlserver')],
]);

const memorystore: ReadonlyMap<string, ManagedService> = new Map([
  ['redis', withSoftwareProduct('google-memorystore-redis', 'redis')],
  ['valkey', withSoftwareProduct('google-memorystore-valkey', 'valkey')],
]);

/**
 * Engines whose name alone identifies the service, wherever `engine` and `engine_version` are next to each
 * other.
 */
const enginesAnywhere: ReadonlyMap<string, ManagedService> = new Map([...databases, ...caches, ...searches]);

/** Every resource type with its attributes and its service. */
export const managedResources = {
  database: {
    terraform: ['aws_db_instance', 'aws_rds_cluster', 'aws_rds_cluster_instance', 'aws_rds_global_cluster'],
    cloudFormation: ['RDS::DBInstance', 'RDS::DBCluster', 'RDS::GlobalCluster'],
    objects: ['rds/Instance', 'rds/Cluster', 'rds/DBInstance', 'rds/DBCluster', 'database/RDSInstance'],
    versions: ['engine_version'],
    engine: 'engine',
    service: databases,
  },
  documentdb: {
    terraform: ['aws_docdb_cluster', 'aws_docdb_global_cluster'],
    cloudFormation: ['DocDB::DBCluster'],
    objects: ['docdb/Cluster', 'docdb/DBCluster', 'documentdb/DBCluster'],
    versions: ['engine_version'],
    service: withOwnProduct('amazon-documentdb'),
  },
  neptune: {
    terraform: ['aws_neptune_cluster', 'aws_neptune_global_cluster'],
    cloudFormation: ['Neptune::DBCluster'],
    objects: ['neptune/Cluster', 'neptune/DBCluster'],
    versions: ['engine_version'],
    service: withOwnProduct('amazon-neptune'),
  },
  cache: {
    terraform: [
      'aws_elasticache_replication_group',
      'aws_elasticache_cluster',
      'aws_elasticache_serverless_cache',
    ],
    cloudFormation: [
      'ElastiCache::ReplicationGroup',
      'ElastiCache::CacheCluster',
      'ElastiCache::ServerlessCache',
    ],
    objects: [
      'elasticache/ReplicationGroup',
      'elasticache/Cluster',
      'elasticache/CacheCluster',
      'cache/ReplicationGroup',
      'cache/CacheCluster',
    ],
    versions: ['engine_version', 'major_engine_version'],
    engine: 'engine',
    defaultEngine: 'redis',
    service: caches,
  },
  memorydb: {
    terraform: ['aws_memorydb_cluster'],
    cloudFormation: ['MemoryDB::Cluster'],
    objects: ['memorydb/Cluster'],
    versions: ['engine_version'],
    service: withoutProduct('amazon-memorydb'),
  },
  search: {
    terraform: ['aws_opensearch_domain'],
    cloudFormation: ['OpenSearchService::Domain'],
    objects: ['opensearch/Domain', 'opensearchservice/Domain'],
    versions: ['engine_version'],
    defaultEngine: 'opensearch',
    service: searches,
  },
  elasticsearch: {
    terraform: ['aws_elasticsearch_domain'],
    cloudFormation: ['Elasticsearch::Domain'],
    objects: ['elasticsearch/Domain'],
    versions: ['elasticsearch_version'],
    service: withoutProduct('amazon-elasticsearch'),
  },
  eks: {
    terraform: ['aws_eks_cluster', 'aws_eks_node_group'],
    cloudFormation: ['EKS::Cluster', 'EKS::Nodegroup'],
    objects: ['eks/Cluster', 'eks/NodeGroup', 'eks/Nodegroup'],
    versions: ['version'],
    service: withOwnProduct('amazon-eks'),
  },
  // endoflife.date has no product for the add-ons of EKS, so each one is named after its resource and name.
  eksAddon: {
    terraform: ['aws_eks_addon'],
    cloudFormation: ['EKS::Addon'],
    objects: ['eks/Addon'],
    versions: ['addon_version'],
    engine: 'addon_name',
    service: new Map(),
  },
  kafka: {
    terraform: ['aws_msk_cluster'],
    cloudFormation: ['MSK::Cluster'],
    objects: ['kafka/Cluster'],
    versions: ['kafka_version'],
    service: withOwnProduct('amazon-msk'),
  },
  broker: {
    terraform: ['aws_mq_broker'],
    cloudFormation: ['AmazonMQ::Broker'],
    objects: ['mq/Broker'],
    versions: ['engine_version'],
    engine: 'engine_type',
    service: new Map([
      ['activemq', withOwnProduct('amazon-mq-activemq')],
      ['rabbitmq', withOwnProduct('amazon-mq-rabbitmq')],
    ]),
  },
  lambda: {
    terraform: ['aws_lambda_function'],
    cloudFormation: ['Lambda::Function', 'Serverless::Function'],
    objects: ['lambda/Function'],
    versions: ['runtime'],
    service: withOwnProduct('aws-lambda'),
  },
  glue: {
    terraform: ['aws_glue_job'],
    cloudFormation: ['Glue::Job'],
    objects: ['glue/Job'],
    versions: ['glue_version'],
    service: withOwnProduct('amazon-glue'),
  },
  gke: {
    terraform: ['google_container_cluster'],
    objects: ['container/Cluster', 'container/ContainerCluster'],
    versions: ['min_master_version', 'node_version'],
    service: withOwnProduct('google-kubernetes-engine'),
  },
  gkeNodes: {
    terraform: ['google_container_node_pool'],
    objects: ['container/NodePool', 'container/ContainerNodePool'],
    versions: ['version'],
    service: withOwnProduct('google-kubernetes-engine'),
  },
  cloudSql: {
    terraform: ['google_sql_database_instance'],
    objects: ['sql/DatabaseInstance', 'sql/SQLInstance', 'database/CloudSQLInstance'],
    versions: ['database_version'],
    service: cloudSql,
  },
  memorystore: {
    terraform: ['google_redis_instance'],
    objects: ['redis/Instance', 'redis/RedisInstance'],
    versions: ['redis_version'],
    service: memorystore,
  },
  memorystoreInstance: {
    terraform: ['google_memorystore_instance'],
    objects: ['memorystore/Instance'],
    versions: ['engine_version'],
    service: memorystore,
  },
  aks: {
    terraform: ['azurerm_kubernetes_cluster'],
    objects: ['containerservice/KubernetesCluster', 'containerservice/ManagedCluster'],
    versions: ['kubernetes_version', 'default_node_pool.orchestrator_version'],
    service: withOwnProduct('azure-kubernetes-service'),
  },
  aksNodes: {
    terraform: ['azurerm_kubernetes_cluster_node_pool'],
    objects: ['containerservice/KubernetesClusterNodePool', 'containerservice/ManagedClustersAgentPool'],
    versions: ['orchestrator_version'],
    service: withOwnProduct('azure-kubernetes-service'),
  },
  azurePostgresql: {
    terraform: ['azurerm_postgresql_flexible_server', 'azurerm_postgresql_server'],
    objects: ['dbforpostgresql/FlexibleServer', 'dbforpostgresql/Server'],
    versions: ['version'],
    service: withOwnProduct('azure-database-for-postgresql'),
  },
  azureMysql: {
    terraform: ['azurerm_mysql_flexible_server', 'azurerm_mysql_server'],
    objects: ['dbformysql/FlexibleServer', 'dbformysql/Server'],
    versions: ['version'],
    service: withOwnProduct('azure-database-for-mysql'),
  },
  azureMariadb: {
    terraform: ['azurerm_mariadb_server'],
    objects: ['dbformariadb/Server'],
    versions: ['version'],
    service: withoutProduct('azure-database-for-mariadb'),
  },
  azureRedis: {
    terraform: ['azurerm_redis_cache'],
    objects: ['cache/RedisCache'],
    versions: ['redis_version'],
    service: withSoftwareProduct('azure-cache-for-redis', 'redis'),
  },
  ack: {
    terraform: ['alicloud_cs_managed_kubernetes'],
    versions: ['version'],
    service: withOwnProduct('alibaba-ack'),
  },
  /** Any object with an engine and its version, such as an entry of a map of databases. */
  anyEngine: { terraform: [], versions: [], service: enginesAnywhere },
} as const satisfies Readonly<Record<string, ManagedResource>>;

export type ManagedResourceId = keyof typeof managedResources;

const resourceIds = Object.keys(managedResources) as ManagedResourceId[];

export function resourceOf(id: ManagedResourceId): ManagedResource {
  return managedResources[id];
}

function indexBy(namesOf: (resource: ManagedResource) => readonly string[]) {
  return new Map(
    resourceIds.flatMap((id) => namesOf(managedResources[id]).map((name) => [name, id] as const)),
  );
}

/** Resources by their type in Terraform, by their type in CloudFormation, and by `SERVICE/Kind`. */
export const managedResourceByTerraformType = indexBy(({ terraform }) => terraform);
export const managedResourceByCloudFormationType = indexBy(({ cloudFormation = [] }) => cloudFormation);
export const managedResourceByObjectKind = indexBy(({ objects = [] }) => objects);

/** A version of a managed service as written. Values can be references. */
export interface WrittenService {
  resource: ManagedResourceId;
  /** Null if the file doesn't specify an engine. */
  engine: string | null;
  version: string;
}

/** Returns the parts of a fact that are derived from the values as written in the file. */
export function readService({ resource, engine, version }: WrittenService): Pick<
  Fact,
  'artifact' | 'origin' | 'version' | 'state' | 'reason' | 'note'
> & {
  isOriginGuessed: boolean;
} {
  const { service, defaultEngine = null } = resourceOf(resource);
  const prefixed = /^(postgres|mysql|sqlserver|redis|valkey|opensearch|elasticsearch)_(?=\d)(.+)$/i.exec(
    version,
  );
  const number = prefixed === null ? version : prefixed[2]!.replace(/_x$/i, '').replaceAll('_', '.');
  const read = readServiceVersion(
    resource,
    resource === 'kafka' ? version.replace(tieredSuffix, '') : number,
  );
  const note =
    read.version === version || read.state !== 'exact' ? null : `written as ${version.slice(0, 100)}`;
  const engineName = (prefixed?.[1] ?? engine ?? defaultEngine)?.toLowerCase() ?? null;
  const found = 'name' in service ? service : engineName === null ? undefined : service.get(engineName);
  const isTemplate = found === undefined && engineName !== null && isTemplated(engineName);
  if (found === undefined || found.product === null)
    return {
      artifact: {
        kind: 'service',
        name: found?.name ?? nameOfUnknown(resource, isTemplate ? null : engineName),
      },
      origin: { type: 'unknown' },
      ...read,
      ...(read.reason === null && (isTemplate ? templated : { reason: 'no_lifecycle' })),
      note,
      isOriginGuessed: false,
    };
  return {
    artifact: { kind: 'service', name: found.name },
    origin: { type: 'lifecycle', product: found.product },
    ...read,
    note,
    isOriginGuessed: found.product !== found.name,
  };
}

const templated = { state: 'templated', reason: 'templated' } as const;

/** Suffix of Kafka versions in MSK that specifies a line, a mode, or the type of storage. */
const tieredSuffix = /\.(?:x|tiered|kraft)(?:\.kraft)?$/;

function readServiceVersion(resource: ManagedResourceId, version: string): ReadVersion {
  // A runtime is a name such as `nodejs20.x` or `provided`, so treat it as an exact version.
  if (resource === 'lambda' && /^[a-z][a-z\d.]*$/.test(version))
    return { version, state: 'exact', reason: null };
  return readVersion(version, 'service');
}

/** Returns a name for a service that isn't in the table, so that different services aren't grouped. */
function nameOfUnknown(resource: ManagedResourceId, engine: string | null): string {
  const name = resourceOf(resource).terraform[0]?.replaceAll('_', '-') ?? 'managed-service';
  return engine === null ? name : `${name}-${engine.replaceAll(/[^a-z\d]+/g, '-').slice(0, 60)}`;
}

/** A literal value or a reference, with its line. Null for an expression that can't be resolved. */
export interface WrittenValue {
  text: string | null;
  line: number;
  /** Note about the origin of the value, if the value comes from another location. */
  note?: string | null;
}

/**
 * Returns the facts of a resource.
 *
 * @param valueOf Returns the value of an attribute, named as in Terraform.
 */
export function readResourceVersions(
  resource: ManagedResourceId,
  valueOf: (attribute: string) => WrittenValue | undefined,
  base: Pick<Fact, 'extractor'> & {
    place: Omit<Fact['place'], 'line' | 'field'>;
    fieldOf?: (name: string) => string;
  },
): Fact[] {
  const { versions, engine: engineAttribute } = resourceOf(resource);
  const { fieldOf = (name) => name } = base;
  const engine = engineAttribute === undefined ? undefined : valueOf(engineAttribute);
  return versions.flatMap((attribute) => {
    const value = valueOf(attribute);
    if (value === undefined) return [];
    const written = {
      resource,
      engine: engine === undefined ? null : (engine.text ?? '${}'),
      version: value.text ?? '${}',
    };
    const place = { ...base.place, line: value.line, field: fieldOf(attribute) };
    const fact = serviceFact(written, base.extractor, place);
    return [{ ...fact, note: value.note ?? engine?.note ?? fact.note }];
  });
}

/**
 * Returns the fact for a service. If the engine or the version refers to a Terraform variable or local value,
 * the fact includes the written values, so that linking can resolve the reference.
 */
export function serviceFact(
  written: WrittenService,
  extractor: Fact['extractor'],
  place: Fact['place'],
  { isGuessed = false } = {},
): Fact {
  const { isOriginGuessed, ...read } = readService(written);
  const isReference = [written.engine ?? '', written.version].some((text) => terraformReference.test(text));
  return {
    extractor,
    place,
    ...factDefaults,
    ...read,
    ...((isGuessed || isOriginGuessed) && { isOriginGuessed: true }),
    ...(isReference && { service: { ...written, version: written.version.slice(0, 1_000) } }),
  };
}

const terraformReference = /\$\{(?:var|local)\./;

/**
 * Recognizes modules by a word in their source. Each entry contains the resource that such modules create,
 * and the names of the attributes with its version.
 */
const moduleResources: readonly (readonly [
  words: RegExp,
  resource: ManagedResourceId,
  attributes: RegExp,
  defaultEngine?: string,
])[] = [
  [
    wordsOf('eks|aws-k8s|aws-kubernetes'),
    'eks',
    /^(?:eks_)?(?:cluster|kubernetes|k8s)_version$|^eks_version$/,
  ],
  [
    wordsOf('gke|kubernetes-engine|gcp-k8s|gcp-kubernetes|google-kubernetes'),
    'gke',
    /^(?:gke_)?(?:cluster|kubernetes|master|min_master|k8s)_version$|^gke_version$/,
  ],
  [
    wordsOf('aks|azure-k8s|azure-kubernetes|azurerm-kubernetes'),
    'aks',
    /^(?:aks_)?(?:kubernetes|orchestrator|cluster|k8s)_version$|^aks_version$/,
  ],
  [wordsOf('lambda'), 'lambda', /^(?:lambda_)?runtime$/],
  [wordsOf('msk|msk-kafka-cluster|msk-apache-kafka-cluster'), 'kafka', /^(?:msk_)?kafka_version$/],
  [wordsOf('opensearch'), 'search', /^(?:opensearch_|engine_)version$/],
  [wordsOf('elasticsearch'), 'elasticsearch', /^elasticsearch_version$/],
  [wordsOf('documentdb|docdb'), 'documentdb', /^(?:docdb_|documentdb_)?engine_version$/],
  [wordsOf('elasticache'), 'cache', /^(?:elasticache_|redis_)?engine_version$/, 'redis'],
  [wordsOf('sql-db|cloud-sql|cloudsql'), 'cloudSql', /^database_version$/],
];

function wordsOf(words: string): RegExp {
  return new RegExp(`(?:^|[/_.-])(?:${words})(?:$|[/_.?-])`, 'i');
}

/**
 * Owners of widely used modules. The arguments of these modules have the same names as those of the
 * resources, so versions in them aren't guesses.
 */
const knownOwners =
  /^(?:registry\.(?:terraform|opentofu)\.(?:io|org)\/)?(?:terraform-aws-modules|terraform-google-modules|azure|cloudposse|aws-ia)\//i;

/**
 * Maximum length of a source that is searched for words. Sources of real modules are shorter than 200
 * characters.
 */
const maxSourceLength = 500;

export interface ReadModule {
  /** Source of the module. Null if the attributes are those of an object, not the arguments of a module. */
  source: string | null;
  /** Attributes with a value that isn't an object. */
  attributes: ReadonlyMap<string, WrittenValue>;
  /** Name of the entry in a map of add-ons that contains the attributes, such as `coredns`. */
  addon?: string | undefined;
}

/** A version found in the arguments of a module or in an object, with the attribute that contains it. */
export interface FoundService {
  attribute: string;
  line: number;
  written: WrittenService;
  isGuessed: boolean;
}

/**
 * Finds versions of managed services in the arguments of a module or in another object. The only evidence is
 * the names of the attributes and the source of the module, so results are guesses unless the module is well
 * known.
 */
export function findServices({ source, attributes, addon }: ReadModule): FoundService[] {
  const isGuessed = source === null || !knownOwners.test(source);
  const found: FoundService[] = [];
  const family = engineOfFamily(attributes);
  const isKnownValue = (text: string | null): text is string =>
    text !== null && (!isTemplated(text) || terraformReference.test(text));
  for (const [attribute, { text, line }] of attributes) {
    if (!isKnownValue(text)) continue;
    // Skip a major version if the whole version is also set, because the whole version is more precise.
    const whole = attribute.replace(/major_(?=engine_version$)/, '');
    if (whole !== attribute && isKnownValue(attributes.get(whole)?.text ?? null)) continue;
    const matching =
      source === null
        ? undefined
        : moduleResources.find(
            ([words, , names]) => names.test(attribute) && words.test(source.slice(0, maxSourceLength)),
          );
    const engine = engineNextTo(attribute, attributes) ?? family;
    const add = (resource: ManagedResourceId, ofEngine: string | null) =>
      found.push({ attribute, line, isGuessed, written: { resource, engine: ofEngine, version: text } });
    if (matching !== undefined) add(matching[1], engine ?? matching[3] ?? null);
    else if (/^(?:\w+_)?engine_version$/.test(attribute)) {
      const isNamed = engine !== null && (enginesAnywhere.has(engine.toLowerCase()) || isTemplated(engine));
      // Skip an object without a known engine, because it can belong to any service.
      if (
        (isNamed && (source !== null || !isTemplated(engine))) ||
        /^(?:OpenSearch|Elasticsearch)_\d/.test(text)
      )
        add('anyEngine', engine);
    } else if (attribute === 'min_master_version') add('gke', null);
    else if (attribute === 'addon_version' && addon !== undefined)
      add('eksAddon', attributes.get('addon_name')?.text ?? addon);
  }
  return found;
}

/** Returns the engine that an attribute such as `engine` or `db_engine` specifies next to a version. */
function engineNextTo(attribute: string, attributes: ReadonlyMap<string, WrittenValue>): string | null {
  const prefix = attribute.replace(/engine_version$/, '');
  if (prefix === attribute) return null;
  return attributes.get(`${prefix}engine`)?.text ?? attributes.get(`${prefix}engine_type`)?.text ?? null;
}

/** Returns the engine at the start of a family name, such as `postgres16` or `default.redis7`. */
function engineOfFamily(attributes: ReadonlyMap<string, WrittenValue>): string | null {
  for (const [name, { text }] of attributes) {
    if (!/(?:^|_)family$|^parameter_group_name$/.test(name) || text === null) continue;
    const family = text.toLowerCase().replace(/^default\./, '');
    const [engine] = [...enginesAnywhere.keys()]
      .filter((each) => family.startsWith(each))
      .toSorted((a, b) => b.length - a.length);
    if (engine !== undefined) return engine;
  }
  return null;
}
