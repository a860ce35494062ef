import {
  assignGroup,
  type CatalogEntry,
  github,
  gitTagsOf,
  jsonOf,
  officialImage,
  threePartVersionPattern,
  unprefixedVersionPattern,
  vPrefixedVersionPattern,
} from './catalog-entry.ts';

/** Software that stores and moves data, programming languages, and base images. */
export const dataCatalog: readonly CatalogEntry[] = [
  ...assignGroup('Databases', [
    {
      // The source is the official image, because the git tags, such as REL_17_5, can't be parsed as 17.5.
      name: 'PostgreSQL',
      vulnerability_packages: ['Bitnami/postgresql'],
      ...officialImage('postgres', String.raw`^\d+\.\d+(?:\.\d+)?$`),
      project_url: 'https://github.com/postgres/postgres',
      description: 'SQL database, from its official image.',
    },
    {
      name: 'MySQL',
      // Bitnami/mysql-client contains the vulnerabilities of MariaDB, so this entry specifies no package.
      lifecycle_product: 'mysql',
      ...gitTagsOf('mysql/mysql-server', String.raw`^mysql-(\d+\.\d+\.\d+)$`),
      description: 'SQL database, LTS and innovation releases. MySQL Cluster uses separate tags.',
    },
    {
      name: 'MariaDB',
      vulnerability_packages: ['Bitnami/mariadb'],
      ...officialImage('mariadb', threePartVersionPattern),
      project_url: 'https://github.com/MariaDB/server',
      description: "SQL database, from its official image, because its Git tags don't mark previews.",
    },
    {
      name: 'MongoDB',
      vulnerability_packages: ['Bitnami/mongodb'],
      lifecycle_product: 'mongodb',
      ...officialImage('mongo', threePartVersionPattern),
      project_url: 'https://github.com/mongodb/mongo',
      description: 'Document database.',
    },
    {
      name: 'Apache Cassandra',
      vulnerability_packages: ['Bitnami/cassandra'],
      ...gitTagsOf('apache/cassandra', String.raw`^cassandra-(\d+\.\d+\.\d+)$`),
      description: 'Wide-column database.',
    },
    {
      name: 'ClickHouse',
      vulnerability_packages: ['Bitnami/clickhouse'],
      ...github('ClickHouse/ClickHouse', String.raw`^v(\d+\.\d+\.\d+\.\d+)-(?:stable|lts)$`),
      description: 'Column database: v25.8.24.21-lts is 25.8.24.21, as in its images.',
    },
    {
      name: 'Elasticsearch',
      vulnerability_packages: ['Bitnami/elasticsearch'],
      ...github('elastic/elasticsearch', vPrefixedVersionPattern),
      description: 'Search engine.',
    },
  ]),
  ...assignGroup('Caches', [
    {
      name: 'Redis',
      vulnerability_packages: ['Bitnami/redis'],
      lifecycle_product: 'redis',
      ...github('redis/redis', unprefixedVersionPattern),
      description: 'In-memory store.',
    },
    {
      name: 'Valkey',
      vulnerability_packages: ['Bitnami/valkey'],
      ...github('valkey-io/valkey', unprefixedVersionPattern),
      description: 'In-memory store, compatible with Redis.',
    },
    {
      name: 'Memcached',
      vulnerability_packages: ['Bitnami/memcached'],
      lifecycle_product: 'memcached',
      ...gitTagsOf('memcached/memcached', threePartVersionPattern),
      description: 'In-memory cache.',
    },
  ]),
  ...assignGroup('Queues', [
    {
      name: 'RabbitMQ',
      vulnerability_packages: ['Bitnami/rabbitmq'],
      lifecycle_product: 'rabbitmq',
      ...github('rabbitmq/rabbitmq-server', vPrefixedVersionPattern),
      description: 'Message broker.',
    },
    {
      name: 'Apache Kafka',
      vulnerability_packages: ['Bitnami/kafka'],
      ...gitTagsOf('apache/kafka', threePartVersionPattern),
      description: 'Event log.',
    },
    {
      name: 'NATS',
      vulnerability_packages: ['Bitnami/nats', 'Go/github.com/nats-io/nats-server'],
      ...github('nats-io/nats-server', vPrefixedVersionPattern),
      description: 'Message broker.',
    },
  ]),
  ...assignGroup('Languages', [
    {
      name: 'Node.js',
      vulnerability_packages: ['Bitnami/node'],
      lifecycle_product: 'nodejs',
      ...jsonOf('https://nodejs.org/dist/index.json', { version_path: '[*].version', date_path: '[*].date' }),
      description: 'All lines, from the index of the project.',
    },
    {
      // The source is the git repository, because its tags have dates and the index of Go releases doesn't.
      name: 'Go',
      vulnerability_packages: ['Bitnami/golang'],
      lifecycle_product: 'go',
      ...gitTagsOf('golang/go', String.raw`^go(\d+(?:\.\d+)*(?:(?:rc|beta)\d+)?)$`),
      description: 'Compiler and tools.',
    },
    {
      name: 'Python',
      vulnerability_packages: ['Bitnami/python'],
      ...gitTagsOf('python/cpython', String.raw`^v(\d+\.\d+(?:\.\d+)?(?:(?:a|b|rc)\d+)?)$`),
      description: 'CPython.',
    },
    {
      name: 'PHP',
      vulnerability_packages: ['Bitnami/php'],
      lifecycle_product: 'php',
      ...gitTagsOf('php/php-src', String.raw`^php-(\d+\.\d+\.\d+)$`),
      description: 'Interpreter.',
    },
    {
      name: 'Ruby',
      vulnerability_packages: ['Bitnami/ruby'],
      lifecycle_product: 'ruby',
      ...gitTagsOf('ruby/ruby', String.raw`^v(\d+[._]\d+[._]\d+)$`),
      description: 'Interpreter: v3_4_8, since 4.0 v4.0.0.',
    },
    {
      name: 'Rust',
      lifecycle_product: 'rust',
      ...github('rust-lang/rust', String.raw`^\d+\.\d+\.\d+$`),
      description: 'Compiler and tools.',
    },
    {
      name: 'OpenJDK (Eclipse Temurin)',
      vulnerability_packages: ['Bitnami/java'],
      lifecycle_product: 'eclipse-temurin',
      ...officialImage('eclipse-temurin', String.raw`^(\d+(?:\.\d+)*)(?:_\d+)?-jdk$`),
      project_url: 'https://github.com/adoptium/temurin-build',
      description: 'All lines: 21.0.7_6-jdk is 21.0.7.',
    },
    {
      name: 'Bun',
      ...github('oven-sh/bun', String.raw`^bun-v(\d+\.\d+\.\d+)$`),
      description: 'JavaScript runtime.',
    },
  ]),
  ...assignGroup('Base images', [
    {
      name: 'Alpine Linux',
      lifecycle_product: 'alpine-linux',
      ...officialImage('alpine', threePartVersionPattern),
      project_url: 'https://gitlab.alpinelinux.org/alpine/aports',
      description: 'By its official image.',
    },
    {
      name: 'Debian',
      ...officialImage('debian', String.raw`^\d+\.\d+$`),
      description: 'By its official image.',
    },
    {
      name: 'Ubuntu LTS',
      lifecycle_product: 'ubuntu',
      ...officialImage('ubuntu', String.raw`^\d[02468]\.04$`),
      description: 'By its official image: the April release of every even year.',
    },
  ]),
];
