import {
  type CatalogueEntry,
  github,
  gitTagsOf,
  inGroup,
  jsonOf,
  numberTags,
  officialImage,
  threeNumbers,
  vTags,
} from './catalogue-entry.ts';

/** What holds and moves data, and what programs are written in and stand on. */
export const dataCatalogue: readonly CatalogueEntry[] = [
  ...inGroup('Databases', [
    {
      // Its git tags, REL_17_5, cannot be read as 17.5.
      name: 'PostgreSQL',
      ...officialImage('postgres', String.raw`^\d+\.\d+(?:\.\d+)?$`),
      description: 'SQL database, from its official image.',
    },
    {
      name: 'MySQL',
      ...gitTagsOf('mysql/mysql-server', String.raw`^mysql-(\d+\.\d+\.\d+)$`),
      description: 'SQL database, LTS and innovation releases. MySQL Cluster uses separate tags.',
    },
    {
      name: 'MariaDB',
      ...officialImage('mariadb', threeNumbers),
      description: "SQL database, from its official image, because its Git tags don't mark previews.",
    },
    { name: 'MongoDB', ...officialImage('mongo', threeNumbers), description: 'Document database.' },
    {
      name: 'Apache Cassandra',
      ...gitTagsOf('apache/cassandra', String.raw`^cassandra-(\d+\.\d+\.\d+)$`),
      description: 'Wide-column database.',
    },
    {
      name: 'ClickHouse',
      ...github('ClickHouse/ClickHouse', String.raw`^v(\d+\.\d+\.\d+\.\d+)-(?:stable|lts)$`),
      description: 'Column database: v25.8.24.21-lts is 25.8.24.21, as in its images.',
    },
    { name: 'Elasticsearch', ...github('elastic/elasticsearch', vTags), description: 'Search engine.' },
  ]),
  ...inGroup('Caches', [
    { name: 'Redis', ...github('redis/redis', numberTags), description: 'In-memory store.' },
    {
      name: 'Valkey',
      ...github('valkey-io/valkey', numberTags),
      description: 'In-memory store, compatible with Redis.',
    },
    { name: 'Memcached', ...gitTagsOf('memcached/memcached', threeNumbers), description: 'In-memory cache.' },
  ]),
  ...inGroup('Queues', [
    { name: 'RabbitMQ', ...github('rabbitmq/rabbitmq-server', vTags), description: 'Message broker.' },
    { name: 'Apache Kafka', ...gitTagsOf('apache/kafka', threeNumbers), description: 'Event log.' },
    { name: 'NATS', ...github('nats-io/nats-server', vTags), description: 'Message broker.' },
  ]),
  ...inGroup('Languages', [
    {
      name: 'Node.js',
      ...jsonOf('https://nodejs.org/dist/index.json', { version_path: '[*].version', date_path: '[*].date' }),
      description: 'All lines, from the index of the project.',
    },
    {
      // The index of the project has no dates; its tags have.
      name: 'Go',
      ...gitTagsOf('golang/go', String.raw`^go(\d+(?:\.\d+)*(?:(?:rc|beta)\d+)?)$`),
      description: 'Compiler and tools.',
    },
    {
      name: 'Python',
      ...gitTagsOf('python/cpython', String.raw`^v(\d+\.\d+(?:\.\d+)?(?:(?:a|b|rc)\d+)?)$`),
      description: 'CPython.',
    },
    {
      name: 'PHP',
      ...gitTagsOf('php/php-src', String.raw`^php-(\d+\.\d+\.\d+)$`),
      description: 'Interpreter.',
    },
    {
      name: 'Ruby',
      ...gitTagsOf('ruby/ruby', String.raw`^v(\d+[._]\d+[._]\d+)$`),
      description: 'Interpreter: v3_4_8, since 4.0 v4.0.0.',
    },
    {
      name: 'Rust',
      ...github('rust-lang/rust', String.raw`^\d+\.\d+\.\d+$`),
      description: 'Compiler and tools.',
    },
    {
      name: 'OpenJDK (Eclipse Temurin)',
      ...officialImage('eclipse-temurin', String.raw`^(\d+(?:\.\d+)*)(?:_\d+)?-jdk$`),
      description: 'All lines: 21.0.7_6-jdk is 21.0.7.',
    },
    {
      name: 'Bun',
      ...github('oven-sh/bun', String.raw`^bun-v(\d+\.\d+\.\d+)$`),
      description: 'JavaScript runtime.',
    },
  ]),
  ...inGroup('Base images', [
    { name: 'Alpine Linux', ...officialImage('alpine', threeNumbers), description: 'By its official image.' },
    {
      name: 'Debian',
      ...officialImage('debian', String.raw`^\d+\.\d+$`),
      description: 'By its official image.',
    },
    {
      name: 'Ubuntu LTS',
      ...officialImage('ubuntu', String.raw`^\d[02468]\.04$`),
      description: 'By its official image: the April release of every even year.',
    },
  ]),
];
