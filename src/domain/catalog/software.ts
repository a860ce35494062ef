import { dockerHub } from '../artifacts/oci-reference.ts';
import { derivePurls } from '../identity/job-identity.ts';
import { sourceTypes } from '../source-types/source-types.ts';

/**
 * Software and the addresses at which it is published. Reference data, such as end-of-life dates, is about
 * software, but a gather job has only an address: an image, a repository, or a chart. Each entry connects the
 * two.
 */
export interface KnownSoftware {
  /** Product at endoflife.date. */
  readonly lifecycle_product?: string;
  /** Packages for which the vulnerabilities of the software are published, in the format of `parsePackage`. */
  readonly vulnerability_packages?: readonly string[];
  /** Package URLs of its addresses, sorted. */
  readonly purls: readonly string[];
}

interface Addresses {
  /**
   * Images as in a container file: `redis`, `grafana/grafana`, `quay.io/keycloak/keycloak`. A chart in an OCI
   * registry is listed here only if its version is the version of the software.
   */
  readonly images?: readonly string[];
  /** Repositories in the form `owner/repo` on github.com. */
  readonly repositories?: readonly string[];
  /** Charts in the form `host/path/chart`, whose application version is the version of the software. */
  readonly charts?: readonly string[];
}

function known(
  lifecycle: string | null,
  packages: readonly string[],
  { images = [], repositories = [], charts = [] }: Addresses,
): KnownSoftware {
  const purls = [
    ...images.map((image) => sourceTypes.oci_registry.purlOf(fullName(image))),
    ...repositories.map((repository) => sourceTypes.github_releases.purlOf(`github.com/${repository}`)),
    ...charts.map((chart) => sourceTypes.helm_repository.purlOf(chart)),
  ].filter((purl) => purl !== null);
  return {
    ...(lifecycle !== null && { lifecycle_product: lifecycle }),
    ...(packages.length > 0 && { vulnerability_packages: packages }),
    purls: purls.toSorted(),
  };
}

function fullName(image: string): string {
  const [host = '', ...path] = image.split('/');
  if (path.length === 0) return `${dockerHub}/library/${image}`;
  return host.includes('.') ? image : `${dockerHub}/${image}`;
}

const bitnami = (name: string) => ({
  images: [`bitnami/${name}`, `bitnamilegacy/${name}`],
  charts: [`charts.bitnami.com/bitnami/${name}`],
});

/** Adds the images and charts of Bitnami to the addresses of the project. */
function withBitnami(name: string, { images = [], repositories = [], charts = [] }: Addresses): Addresses {
  const own = bitnami(name);
  return { images: [...images, ...own.images], repositories, charts: [...charts, ...own.charts] };
}

const databases: readonly KnownSoftware[] = [
  known(
    'postgresql',
    ['Bitnami/postgresql'],
    withBitnami('postgresql', {
      images: [
        'postgres',
        'circleci/postgres',
        'cimg/postgres',
        'ghcr.io/cloudnative-pg/postgresql',
        'postgis/postgis',
      ],
      repositories: ['postgres/postgres'],
    }),
  ),
  known(
    'mysql',
    [],
    withBitnami('mysql', {
      images: ['mysql', 'mysql/mysql-server', 'container-registry.oracle.com/mysql/community-server'],
      repositories: ['mysql/mysql-server'],
    }),
  ),
  known(
    'mariadb',
    ['Bitnami/mariadb'],
    withBitnami('mariadb', {
      images: ['mariadb', 'bitnami/mariadb-galera', 'linuxserver/mariadb', 'lscr.io/linuxserver/mariadb'],
      repositories: ['MariaDB/server'],
    }),
  ),
  known(
    'mongodb',
    ['Bitnami/mongodb'],
    withBitnami('mongodb', {
      images: ['mongo', 'mongodb/mongodb-community-server', 'mongodb/mongodb-enterprise-server'],
      repositories: ['mongodb/mongo'],
    }),
  ),
  known(
    'apache-cassandra',
    ['Bitnami/cassandra'],
    withBitnami('cassandra', { images: ['cassandra'], repositories: ['apache/cassandra'] }),
  ),
  known(
    'clickhouse',
    ['Bitnami/clickhouse'],
    withBitnami('clickhouse', {
      images: ['clickhouse', 'clickhouse/clickhouse-server', 'yandex/clickhouse-server'],
      repositories: ['ClickHouse/ClickHouse'],
    }),
  ),
  known(
    'elasticsearch',
    ['Bitnami/elasticsearch'],
    withBitnami('elasticsearch', {
      images: ['elasticsearch', 'docker.elastic.co/elasticsearch/elasticsearch'],
      repositories: ['elastic/elasticsearch'],
      charts: ['helm.elastic.co/elasticsearch'],
    }),
  ),
  known(
    'kibana',
    ['Bitnami/kibana'],
    withBitnami('kibana', {
      images: ['kibana', 'docker.elastic.co/kibana/kibana'],
      repositories: ['elastic/kibana'],
      charts: ['helm.elastic.co/kibana'],
    }),
  ),
  known(
    'logstash',
    ['Bitnami/logstash'],
    withBitnami('logstash', {
      images: ['logstash', 'docker.elastic.co/logstash/logstash'],
      repositories: ['elastic/logstash'],
      charts: ['helm.elastic.co/logstash'],
    }),
  ),
  known('beats', [], {
    images: [
      'docker.elastic.co/beats/filebeat',
      'docker.elastic.co/beats/metricbeat',
      'docker.elastic.co/beats/heartbeat',
      'docker.elastic.co/beats/auditbeat',
      'docker.elastic.co/beats/packetbeat',
      'elastic/filebeat',
      'elastic/metricbeat',
    ],
    repositories: ['elastic/beats'],
    charts: ['helm.elastic.co/filebeat', 'helm.elastic.co/metricbeat'],
  }),
  known('opensearch', [], {
    images: ['opensearchproject/opensearch', 'opensearchproject/opensearch-dashboards'],
    repositories: ['opensearch-project/OpenSearch', 'opensearch-project/OpenSearch-Dashboards'],
    charts: [
      'opensearch-project.github.io/helm-charts/opensearch',
      'opensearch-project.github.io/helm-charts/opensearch-dashboards',
    ],
  }),
  known(
    'redis',
    ['Bitnami/redis'],
    withBitnami('redis', { images: ['redis', 'bitnami/redis-cluster'], repositories: ['redis/redis'] }),
  ),
  known(
    'valkey',
    ['Bitnami/valkey'],
    withBitnami('valkey', {
      images: ['valkey/valkey', 'ghcr.io/valkey-io/valkey'],
      repositories: ['valkey-io/valkey'],
      charts: ['valkey.io/valkey-helm/valkey'],
    }),
  ),
  known(
    null,
    ['Bitnami/keydb'],
    withBitnami('keydb', { images: ['eqalpha/keydb'], repositories: ['Snapchat/KeyDB'] }),
  ),
  known(
    'memcached',
    ['Bitnami/memcached'],
    withBitnami('memcached', { images: ['memcached'], repositories: ['memcached/memcached'] }),
  ),
  known(
    'rabbitmq',
    ['Bitnami/rabbitmq'],
    withBitnami('rabbitmq', { images: ['rabbitmq'], repositories: ['rabbitmq/rabbitmq-server'] }),
  ),
  known(
    'apache-kafka',
    ['Bitnami/kafka'],
    withBitnami('kafka', { images: ['apache/kafka', 'apache/kafka-native'], repositories: ['apache/kafka'] }),
  ),
  known(
    null,
    ['Bitnami/nats', 'Go/github.com/nats-io/nats-server'],
    withBitnami('nats', {
      images: ['nats'],
      repositories: ['nats-io/nats-server'],
      charts: ['nats-io.github.io/k8s/helm/charts/nats'],
    }),
  ),
  known('apache-activemq', ['Bitnami/activemq'], {
    images: ['apache/activemq-classic'],
    repositories: ['apache/activemq'],
  }),
  known(
    'zookeeper',
    ['Bitnami/zookeeper'],
    withBitnami('zookeeper', { images: ['zookeeper'], repositories: ['apache/zookeeper'] }),
  ),
  known('apache-couchdb', ['Bitnami/couchdb'], {
    images: ['couchdb', 'apache/couchdb'],
    repositories: ['apache/couchdb'],
    charts: ['apache.github.io/couchdb-helm/couchdb'],
  }),
  known('couchbase-server', [], { images: ['couchbase', 'couchbase/server'] }),
  known('cockroachdb', [], {
    images: ['cockroachdb/cockroach'],
    repositories: ['cockroachdb/cockroach'],
    charts: ['charts.cockroachdb.com/cockroachdb'],
  }),
  known(
    'neo4j',
    ['Bitnami/neo4j'],
    withBitnami('neo4j', { images: ['neo4j'], repositories: ['neo4j/neo4j'] }),
  ),
  known(
    'influxdb',
    ['Bitnami/influxdb'],
    withBitnami('influxdb', { images: ['influxdb'], repositories: ['influxdata/influxdb'] }),
  ),
  known('arangodb', ['Bitnami/arangodb'], {
    images: ['arangodb', 'arangodb/arangodb'],
    repositories: ['arangodb/arangodb'],
  }),
  known('tarantool', [], { images: ['tarantool/tarantool'], repositories: ['tarantool/tarantool'] }),
  known('solr', ['Bitnami/solr'], withBitnami('solr', { images: ['solr'], repositories: ['apache/solr'] })),
  known('meilisearch', [], {
    images: ['getmeili/meilisearch'],
    repositories: ['meilisearch/meilisearch'],
    charts: ['meilisearch.github.io/meilisearch-kubernetes/meilisearch'],
  }),
  known('vitess', [], { images: ['vitess/lite'], repositories: ['vitessio/vitess'] }),
  known(null, ['Bitnami/minio', 'Go/github.com/minio/minio'], {
    images: ['minio/minio', 'quay.io/minio/minio', 'bitnami/minio', 'bitnamilegacy/minio'],
    repositories: ['minio/minio'],
    charts: ['charts.min.io/minio'],
  }),
  known(
    null,
    ['Bitnami/scylladb'],
    withBitnami('scylladb', { images: ['scylladb/scylla'], repositories: ['scylladb/scylladb'] }),
  ),
  known(null, ['Bitnami/milvus'], { images: ['milvusdb/milvus'], repositories: ['milvus-io/milvus'] }),
  known(null, ['Bitnami/pgbouncer'], {
    images: ['edoburu/pgbouncer', 'bitnami/pgbouncer'],
    repositories: ['pgbouncer/pgbouncer'],
  }),
];

const languages: readonly KnownSoftware[] = [
  known('nodejs', ['Bitnami/node'], {
    images: ['node', 'circleci/node', 'cimg/node', 'bitnami/node'],
    repositories: ['nodejs/node'],
  }),
  known('python', ['Bitnami/python'], {
    images: ['python', 'circleci/python', 'cimg/python', 'bitnami/python'],
    repositories: ['python/cpython'],
  }),
  known('go', ['Bitnami/golang'], {
    images: ['golang', 'circleci/golang', 'cimg/go', 'bitnami/golang'],
    repositories: ['golang/go'],
  }),
  known('php', ['Bitnami/php'], { images: ['php', 'bitnami/php-fpm'], repositories: ['php/php-src'] }),
  known('ruby', ['Bitnami/ruby'], {
    images: ['ruby', 'cimg/ruby', 'bitnami/ruby'],
    repositories: ['ruby/ruby'],
  }),
  known('rust', [], { images: ['rust'], repositories: ['rust-lang/rust'] }),
  known('perl', [], { images: ['perl'], repositories: ['Perl/perl5'] }),
  known('elixir', [], { images: ['elixir'], repositories: ['elixir-lang/elixir'] }),
  known('erlang', [], { images: ['erlang'], repositories: ['erlang/otp'] }),
  known('julia', [], { images: ['julia'], repositories: ['JuliaLang/julia'] }),
  known('bun', [], { images: ['oven/bun'], repositories: ['oven-sh/bun'] }),
  known('deno', [], { images: ['denoland/deno', 'ghcr.io/denoland/deno'], repositories: ['denoland/deno'] }),
  known('eclipse-temurin', ['Bitnami/java'], {
    images: ['eclipse-temurin'],
    repositories: ['adoptium/temurin-build'],
  }),
  known('amazon-corretto', ['Bitnami/java'], { images: ['amazoncorretto'] }),
  known('bellsoft-liberica', ['Bitnami/java'], {
    images: [
      'bellsoft/liberica-openjdk-alpine',
      'bellsoft/liberica-openjdk-debian',
      'bellsoft/liberica-openjre-alpine',
      'bellsoft/liberica-openjre-debian',
      'bellsoft/liberica-runtime-container',
    ],
  }),
  known('azul-zulu', [], {
    images: ['azul/zulu-openjdk', 'azul/zulu-openjdk-alpine', 'azul/zulu-openjdk-debian'],
  }),
  known('sapmachine', ['Bitnami/java'], { images: ['sapmachine'], repositories: ['SAP/SapMachine'] }),
  known('microsoft-build-of-openjdk', ['Bitnami/java'], { images: ['mcr.microsoft.com/openjdk/jdk'] }),
  known('openjdk-builds-from-oracle', ['Bitnami/java'], { images: ['openjdk'] }),
  known('dotnet', ['Bitnami/dotnet'], {
    images: ['mcr.microsoft.com/dotnet/runtime', 'mcr.microsoft.com/dotnet/runtime-deps'],
    repositories: ['dotnet/runtime'],
  }),
  known('dotnet', ['Bitnami/aspnet-core'], {
    images: ['mcr.microsoft.com/dotnet/aspnet'],
    repositories: ['dotnet/aspnetcore'],
  }),
  known('powershell', ['Bitnami/powershell'], {
    images: ['mcr.microsoft.com/powershell'],
    repositories: ['PowerShell/PowerShell'],
  }),
  known('apache-maven', ['Bitnami/maven'], { images: ['maven'], repositories: ['apache/maven'] }),
  known('gradle', ['Bitnami/gradle'], { images: ['gradle'], repositories: ['gradle/gradle'] }),
  known('composer', ['Bitnami/composer'], {
    images: ['composer', 'composer/composer'],
    repositories: ['composer/composer'],
  }),
  known('kotlin', [], { repositories: ['JetBrains/kotlin'] }),
  known('scala', [], { repositories: ['scala/scala'] }),
  known('bazel', [], { images: ['gcr.io/bazel-public/bazel'], repositories: ['bazelbuild/bazel'] }),
];

const baseImages: readonly KnownSoftware[] = [
  known('alpine-linux', [], { images: ['alpine'] }),
  known('ubuntu', [], { images: ['ubuntu'] }),
  known('rocky-linux', [], {
    images: ['rockylinux', 'rockylinux/rockylinux', 'quay.io/rockylinux/rockylinux'],
  }),
  known('almalinux', [], { images: ['almalinux', 'almalinux/almalinux', 'quay.io/almalinuxorg/almalinux'] }),
  known('fedora', [], { images: ['fedora', 'quay.io/fedora/fedora', 'registry.fedoraproject.org/fedora'] }),
  known('centos', [], { images: ['centos'] }),
  known('centos-stream', [], { images: ['quay.io/centos/centos'] }),
  known('amazon-linux', [], { images: ['amazonlinux', 'public.ecr.aws/amazonlinux/amazonlinux'] }),
  known('oracle-linux', [], { images: ['oraclelinux'] }),
  known('opensuse', [], { images: ['opensuse/leap'] }),
  known('rhel', [], {
    images: [
      'registry.access.redhat.com/ubi8',
      'registry.access.redhat.com/ubi8/ubi',
      'registry.access.redhat.com/ubi8/ubi-minimal',
      'registry.access.redhat.com/ubi9',
      'registry.access.redhat.com/ubi9/ubi',
      'registry.access.redhat.com/ubi9/ubi-minimal',
    ],
  }),
  known('vmware-photon', [], { images: ['photon'] }),
];

const proxies: readonly KnownSoftware[] = [
  known(
    'nginx',
    ['Bitnami/nginx'],
    withBitnami('nginx', {
      images: [
        'nginx',
        'nginxinc/nginx-unprivileged',
        'ghcr.io/nginx/nginx-unprivileged',
        'ghcr.io/nginxinc/nginx-unprivileged',
        'public.ecr.aws/nginx/nginx',
      ],
      repositories: ['nginx/nginx'],
    }),
  ),
  known(null, ['Go/k8s.io/ingress-nginx', 'Go/github.com/kubernetes/ingress-nginx'], {
    images: [
      'registry.k8s.io/ingress-nginx/controller',
      'k8s.gcr.io/ingress-nginx/controller',
      'rancher/nginx-ingress-controller',
    ],
    repositories: ['kubernetes/ingress-nginx'],
    charts: ['kubernetes.github.io/ingress-nginx/ingress-nginx'],
  }),
  known(
    'haproxy',
    ['Bitnami/haproxy'],
    withBitnami('haproxy', {
      images: [
        'haproxy',
        'haproxytech/haproxy-alpine',
        'haproxytech/haproxy-debian',
        'haproxytech/haproxy-ubuntu',
      ],
      repositories: ['haproxy/haproxy'],
    }),
  ),
  known('haproxy-ingress', [], {
    images: ['quay.io/jcmoraisjr/haproxy-ingress', 'jcmoraisjr/haproxy-ingress'],
    repositories: ['jcmoraisjr/haproxy-ingress'],
    charts: ['haproxy-ingress.github.io/charts/haproxy-ingress'],
  }),
  known('apache-http-server', ['Bitnami/apache'], {
    images: ['httpd', 'bitnami/apache'],
    repositories: ['apache/httpd'],
  }),
  known('traefik', ['Go/github.com/traefik/traefik'], {
    images: ['traefik', 'traefik/traefik', 'ghcr.io/traefik/traefik'],
    repositories: ['traefik/traefik'],
    charts: ['traefik.github.io/charts/traefik', 'helm.traefik.io/traefik/traefik'],
  }),
  known(
    'envoy',
    ['Bitnami/envoy'],
    withBitnami('envoy', {
      images: ['envoyproxy/envoy', 'envoyproxy/envoy-alpine', 'envoyproxy/envoy-distroless'],
      repositories: ['envoyproxy/envoy'],
    }),
  ),
  known(null, ['Bitnami/envoy-gateway', 'Go/github.com/envoyproxy/gateway'], {
    images: ['envoyproxy/gateway', 'envoyproxy/gateway-helm'],
    repositories: ['envoyproxy/gateway'],
  }),
  known('caddy', ['Go/github.com/caddyserver/caddy'], {
    images: ['caddy'],
    repositories: ['caddyserver/caddy'],
  }),
  known('istio', ['Go/istio.io/istio'], {
    images: [
      'istio/pilot',
      'istio/proxyv2',
      'istio/install-cni',
      'istio/ztunnel',
      'istio/operator',
      'istio/base',
      'gcr.io/istio-release/pilot',
      'gcr.io/istio-release/proxyv2',
      'gcr.io/istio-release/install-cni',
    ],
    repositories: ['istio/istio'],
    charts: [
      'istio-release.storage.googleapis.com/charts/base',
      'istio-release.storage.googleapis.com/charts/istiod',
      'istio-release.storage.googleapis.com/charts/gateway',
      'istio-release.storage.googleapis.com/charts/cni',
      'istio-release.storage.googleapis.com/charts/ztunnel',
    ],
  }),
  known('kong-gateway', [], { images: ['kong', 'kong/kong-gateway'], repositories: ['Kong/kong'] }),
  known(
    'contour',
    ['Bitnami/contour', 'Go/github.com/projectcontour/contour'],
    withBitnami('contour', {
      images: ['ghcr.io/projectcontour/contour', 'projectcontour/contour'],
      repositories: ['projectcontour/contour'],
    }),
  ),
  known('squid', [], { images: ['ubuntu/squid'], repositories: ['squid-cache/squid'] }),
  known('vinyl-cache', ['Bitnami/varnish'], {
    images: ['varnish'],
    repositories: ['varnishcache/varnish-cache'],
  }),
  known(
    'tomcat',
    ['Bitnami/tomcat'],
    withBitnami('tomcat', { images: ['tomcat'], repositories: ['apache/tomcat'] }),
  ),
  known('eclipse-jetty', [], {
    images: ['jetty'],
    repositories: ['jetty/jetty.project', 'eclipse/jetty.project'],
  }),
  known(
    null,
    ['Bitnami/wildfly'],
    withBitnami('wildfly', { images: ['quay.io/wildfly/wildfly'], repositories: ['wildfly/wildfly'] }),
  ),
  known('metallb', [], {
    images: [
      'quay.io/metallb/controller',
      'quay.io/metallb/speaker',
      'metallb/controller',
      'metallb/speaker',
    ],
    repositories: ['metallb/metallb'],
    charts: ['metallb.github.io/metallb/metallb', 'charts.bitnami.com/bitnami/metallb'],
  }),
  known('kuma', [], {
    images: ['kumahq/kuma-cp', 'kumahq/kuma-dp'],
    repositories: ['kumahq/kuma'],
    charts: ['kumahq.github.io/charts/kuma'],
  }),
  known(null, ['Bitnami/apisix'], {
    images: ['apache/apisix'],
    repositories: ['apache/apisix'],
    charts: ['charts.apiseven.com/apisix'],
  }),
  known(
    null,
    ['Bitnami/oauth2-proxy', 'Go/github.com/oauth2-proxy/oauth2-proxy'],
    withBitnami('oauth2-proxy', {
      images: ['quay.io/oauth2-proxy/oauth2-proxy'],
      repositories: ['oauth2-proxy/oauth2-proxy'],
      charts: ['oauth2-proxy.github.io/manifests/oauth2-proxy'],
    }),
  ),
  known(null, ['Bitnami/openresty'], {
    images: ['openresty/openresty'],
    repositories: ['openresty/openresty'],
  }),
];

const monitoring: readonly KnownSoftware[] = [
  known(
    'grafana',
    ['Bitnami/grafana', 'Go/github.com/grafana/grafana'],
    withBitnami('grafana', {
      images: ['grafana/grafana', 'grafana/grafana-oss', 'grafana/grafana-enterprise'],
      repositories: ['grafana/grafana'],
      charts: ['grafana.github.io/helm-charts/grafana', 'grafana-community.github.io/helm-charts/grafana'],
    }),
  ),
  known(
    'grafana-loki',
    ['Go/github.com/grafana/loki'],
    withBitnami('grafana-loki', {
      images: ['grafana/loki', 'grafana/promtail'],
      repositories: ['grafana/loki'],
      charts: [
        'grafana.github.io/helm-charts/loki',
        'grafana-community.github.io/helm-charts/loki',
        'grafana.github.io/helm-charts/promtail',
      ],
    }),
  ),
  known(
    'prometheus',
    ['Bitnami/prometheus', 'Go/github.com/prometheus/prometheus'],
    withBitnami('prometheus', {
      images: ['prom/prometheus', 'quay.io/prometheus/prometheus'],
      repositories: ['prometheus/prometheus'],
      charts: ['prometheus-community.github.io/helm-charts/prometheus'],
    }),
  ),
  known(
    null,
    ['Bitnami/alertmanager', 'Go/github.com/prometheus/alertmanager'],
    withBitnami('alertmanager', {
      images: ['prom/alertmanager', 'quay.io/prometheus/alertmanager'],
      repositories: ['prometheus/alertmanager'],
      charts: ['prometheus-community.github.io/helm-charts/alertmanager'],
    }),
  ),
  known('telegraf', [], {
    images: ['telegraf'],
    repositories: ['influxdata/telegraf'],
    charts: ['helm.influxdata.com/telegraf'],
  }),
  known(
    'fluent-bit',
    ['Bitnami/fluent-bit'],
    withBitnami('fluent-bit', {
      images: ['fluent/fluent-bit', 'cr.fluentbit.io/fluent/fluent-bit'],
      repositories: ['fluent/fluent-bit'],
      charts: ['fluent.github.io/helm-charts/fluent-bit'],
    }),
  ),
  known(
    null,
    ['Bitnami/fluentd'],
    withBitnami('fluentd', {
      images: ['fluentd', 'fluent/fluentd', 'fluent/fluentd-kubernetes-daemonset'],
      repositories: ['fluent/fluentd'],
      charts: ['fluent.github.io/helm-charts/fluentd'],
    }),
  ),
  known(
    'jaeger',
    ['Bitnami/jaeger'],
    withBitnami('jaeger', {
      images: [
        'jaegertracing/jaeger',
        'jaegertracing/all-in-one',
        'jaegertracing/jaeger-collector',
        'jaegertracing/jaeger-query',
      ],
      repositories: ['jaegertracing/jaeger'],
    }),
  ),
  known(null, ['Bitnami/opentelemetry-collector'], {
    images: [
      'otel/opentelemetry-collector',
      'otel/opentelemetry-collector-contrib',
      'ghcr.io/open-telemetry/opentelemetry-collector-releases/opentelemetry-collector',
      'ghcr.io/open-telemetry/opentelemetry-collector-releases/opentelemetry-collector-contrib',
      'ghcr.io/open-telemetry/opentelemetry-collector-releases/opentelemetry-collector-k8s',
    ],
    repositories: ['open-telemetry/opentelemetry-collector-releases'],
    charts: ['open-telemetry.github.io/opentelemetry-helm-charts/opentelemetry-collector'],
  }),
  known('graylog', [], { images: ['graylog/graylog'], repositories: ['Graylog2/graylog2-server'] }),
  known('zabbix', [], {
    images: [
      'zabbix/zabbix-server-mysql',
      'zabbix/zabbix-server-pgsql',
      'zabbix/zabbix-web-nginx-mysql',
      'zabbix/zabbix-web-nginx-pgsql',
      'zabbix/zabbix-agent',
      'zabbix/zabbix-agent2',
      'zabbix/zabbix-proxy-mysql',
      'zabbix/zabbix-proxy-sqlite3',
    ],
    repositories: ['zabbix/zabbix'],
  }),
  known('icinga', [], { images: ['icinga/icinga2'], repositories: ['Icinga/icinga2'] }),
  known('icinga-web', [], { images: ['icinga/icingaweb2'], repositories: ['Icinga/icingaweb2'] }),
  known('checkmk', [], {
    images: ['checkmk/check-mk-raw', 'checkmk/check-mk-community'],
    repositories: ['Checkmk/checkmk'],
  }),
  known(null, ['Bitnami/grafana-pyroscope'], {
    images: ['grafana/pyroscope'],
    repositories: ['grafana/pyroscope'],
    charts: ['grafana.github.io/helm-charts/pyroscope'],
  }),
];

const delivery: readonly KnownSoftware[] = [
  known(
    'argo-cd',
    ['Bitnami/argo-cd', 'Go/github.com/argoproj/argo-cd'],
    withBitnami('argo-cd', {
      images: [
        'quay.io/argoproj/argocd',
        'argoproj/argocd',
        'ghcr.io/argoproj/argo-cd/argocd',
        'ghcr.io/argoproj/argocd',
      ],
      repositories: ['argoproj/argo-cd'],
      charts: ['argoproj.github.io/argo-helm/argo-cd'],
    }),
  ),
  known(
    'argo-workflows',
    ['Bitnami/argo-workflows', 'Go/github.com/argoproj/argo-workflows'],
    withBitnami('argo-workflows', {
      images: [
        'quay.io/argoproj/argocli',
        'quay.io/argoproj/workflow-controller',
        'quay.io/argoproj/argoexec',
        'argoproj/argocli',
        'argoproj/workflow-controller',
      ],
      repositories: ['argoproj/argo-workflows'],
      charts: ['argoproj.github.io/argo-helm/argo-workflows'],
    }),
  ),
  known(null, ['Go/github.com/argoproj/argo-events'], {
    images: ['quay.io/argoproj/argo-events'],
    repositories: ['argoproj/argo-events'],
    charts: ['argoproj.github.io/argo-helm/argo-events'],
  }),
  known('flux', ['Bitnami/flux', 'Go/github.com/fluxcd/flux2'], {
    images: ['ghcr.io/fluxcd/flux-cli', 'fluxcd/flux-cli'],
    repositories: ['fluxcd/flux2'],
    charts: ['fluxcd-community.github.io/helm-charts/flux2'],
  }),
  known(
    'jenkins',
    ['Bitnami/jenkins'],
    withBitnami('jenkins', {
      images: ['jenkins/jenkins', 'jenkins'],
      repositories: ['jenkinsci/jenkins'],
      charts: ['charts.jenkins.io/jenkins'],
    }),
  ),
  known('gitlab', ['Bitnami/gitlab'], {
    images: [
      'gitlab/gitlab-ce',
      'gitlab/gitlab-ee',
      'registry.gitlab.com/gitlab-org/build/cng/gitlab-webservice-ee',
    ],
    charts: ['charts.gitlab.io/gitlab'],
  }),
  known('gitlab-runner', ['Bitnami/gitlab-runner'], {
    images: ['gitlab/gitlab-runner', 'registry.gitlab.com/gitlab-org/gitlab-runner'],
    charts: ['charts.gitlab.io/gitlab-runner'],
  }),
  known(
    null,
    ['Bitnami/gitea', 'Go/code.gitea.io/gitea'],
    withBitnami('gitea', {
      images: ['gitea/gitea', 'docker.gitea.com/gitea'],
      repositories: ['go-gitea/gitea'],
      charts: ['dl.gitea.com/charts/gitea', 'dl.gitea.io/charts/gitea'],
    }),
  ),
  known('forgejo', [], {
    images: [
      'codeberg.org/forgejo/forgejo',
      'code.forgejo.org/forgejo/forgejo',
      'data.forgejo.org/forgejo/forgejo',
    ],
  }),
  known('gerrit', [], { images: ['gerritcodereview/gerrit'] }),
  known('sonarqube-server', [], {
    images: ['sonarqube'],
    repositories: ['SonarSource/sonarqube'],
    charts: ['sonarsource.github.io/helm-chart-sonarqube/sonarqube'],
  }),
  known('nexus', [], {
    images: ['sonatype/nexus3'],
    repositories: ['sonatype/nexus-public'],
    charts: ['sonatype.github.io/helm3-charts/nexus-repository-manager'],
  }),
  known('artifactory', [], {
    images: [
      'releases-docker.jfrog.io/jfrog/artifactory-pro',
      'releases-docker.jfrog.io/jfrog/artifactory-oss',
    ],
    charts: ['charts.jfrog.io/artifactory', 'charts.jfrog.io/artifactory-oss'],
  }),
  known('harbor', ['Bitnami/harbor', 'Go/github.com/goharbor/harbor'], {
    images: [
      'goharbor/harbor-core',
      'goharbor/harbor-jobservice',
      'goharbor/harbor-portal',
      'goharbor/harbor-registryctl',
      'goharbor/harbor-exporter',
      'goharbor/harbor-db',
    ],
    repositories: ['goharbor/harbor'],
    charts: ['helm.goharbor.io/harbor', 'charts.bitnami.com/bitnami/harbor'],
  }),
  known('terraform', [], { images: ['hashicorp/terraform'], repositories: ['hashicorp/terraform'] }),
  known('opentofu', ['Go/github.com/opentofu/opentofu'], {
    images: ['ghcr.io/opentofu/opentofu'],
    repositories: ['opentofu/opentofu'],
  }),
  known('renovate', ['npm/renovate'], {
    images: ['renovate/renovate', 'ghcr.io/renovatebot/renovate'],
    repositories: ['renovatebot/renovate'],
    charts: ['docs.renovatebot.com/helm-charts/renovate'],
  }),
  known(null, ['Bitnami/concourse', 'Go/github.com/concourse/concourse'], {
    images: ['concourse/concourse'],
    repositories: ['concourse/concourse'],
    charts: ['concourse-charts.storage.googleapis.com/concourse'],
  }),
  known('dependency-track', [], {
    images: ['dependencytrack/apiserver', 'dependencytrack/frontend', 'dependencytrack/bundled'],
    repositories: ['DependencyTrack/dependency-track'],
    charts: ['dependencytrack.github.io/helm-charts/dependency-track'],
  }),
  known('salt', [], { images: ['saltstack/salt'], repositories: ['saltstack/salt'] }),
];

const security: readonly KnownSoftware[] = [
  known(
    'hashicorp-vault',
    ['Bitnami/vault', 'Go/github.com/hashicorp/vault'],
    withBitnami('vault', {
      images: ['hashicorp/vault', 'vault', 'hashicorp/vault-enterprise', 'public.ecr.aws/hashicorp/vault'],
      repositories: ['hashicorp/vault'],
      charts: ['helm.releases.hashicorp.com/vault'],
    }),
  ),
  known('openbao', ['Bitnami/openbao', 'Go/github.com/openbao/openbao'], {
    images: ['openbao/openbao', 'quay.io/openbao/openbao', 'ghcr.io/openbao/openbao'],
    repositories: ['openbao/openbao'],
    charts: ['openbao.github.io/openbao-helm/openbao'],
  }),
  known(
    'consul',
    ['Bitnami/consul', 'Go/github.com/hashicorp/consul'],
    withBitnami('consul', {
      images: ['hashicorp/consul', 'consul'],
      repositories: ['hashicorp/consul'],
      charts: ['helm.releases.hashicorp.com/consul'],
    }),
  ),
  known('nomad', ['Go/github.com/hashicorp/nomad'], {
    images: ['hashicorp/nomad'],
    repositories: ['hashicorp/nomad'],
  }),
  known('boundary', ['Go/github.com/hashicorp/boundary'], {
    images: ['hashicorp/boundary'],
    repositories: ['hashicorp/boundary'],
  }),
  known(
    'keycloak',
    [],
    withBitnami('keycloak', {
      images: ['quay.io/keycloak/keycloak', 'keycloak/keycloak', 'jboss/keycloak'],
      repositories: ['keycloak/keycloak', 'keycloak/keycloak-k8s-resources'],
      charts: ['codecentric.github.io/helm-charts/keycloakx'],
    }),
  ),
  known('authentik', ['Bitnami/authentik', 'Go/goauthentik.io'], {
    images: [
      'ghcr.io/goauthentik/server',
      'authentik/server',
      'ghcr.io/goauthentik/proxy',
      'ghcr.io/goauthentik/ldap',
    ],
    repositories: ['goauthentik/authentik'],
    charts: ['charts.goauthentik.io/authentik'],
  }),
  known(null, ['Go/github.com/dexidp/dex'], {
    images: ['ghcr.io/dexidp/dex', 'dexidp/dex', 'quay.io/dexidp/dex'],
    repositories: ['dexidp/dex'],
    charts: ['charts.dexidp.io/dex'],
  }),
  known(null, ['Go/github.com/zitadel/zitadel'], {
    images: ['ghcr.io/zitadel/zitadel'],
    repositories: ['zitadel/zitadel'],
    charts: ['charts.zitadel.com/zitadel'],
  }),
  known(null, ['Bitnami/openldap'], {
    images: ['bitnami/openldap', 'osixia/openldap', 'bitnamilegacy/openldap'],
  }),
  known(
    'cert-manager',
    ['Bitnami/cert-manager', 'Go/github.com/cert-manager/cert-manager'],
    withBitnami('cert-manager', {
      images: [
        'quay.io/jetstack/cert-manager-controller',
        'quay.io/jetstack/charts/cert-manager',
        'quay.io/jetstack/cert-manager-webhook',
        'quay.io/jetstack/cert-manager-cainjector',
        'quay.io/jetstack/cert-manager-acmesolver',
      ],
      repositories: ['cert-manager/cert-manager', 'jetstack/cert-manager'],
      charts: ['charts.jetstack.io/cert-manager'],
    }),
  ),
  known(null, ['Bitnami/sealed-secrets'], {
    images: [
      'bitnami/sealed-secrets-controller',
      'ghcr.io/bitnami-labs/sealed-secrets-controller',
      'bitnami/sealed-secrets',
    ],
    repositories: ['bitnami-labs/sealed-secrets'],
    charts: [
      'bitnami-labs.github.io/sealed-secrets/sealed-secrets',
      'bitnami.github.io/sealed-secrets/sealed-secrets',
    ],
  }),
  known('gatekeeper', [], {
    images: ['openpolicyagent/gatekeeper'],
    repositories: ['open-policy-agent/gatekeeper'],
    charts: ['open-policy-agent.github.io/gatekeeper/charts/gatekeeper'],
  }),
  // Bitnami/kyverno contains vulnerabilities of another program, so this entry specifies only the Go module.
  known('kyverno', ['Go/github.com/kyverno/kyverno'], {
    images: ['ghcr.io/kyverno/kyverno', 'reg.kyverno.io/kyverno/kyverno'],
    repositories: ['kyverno/kyverno'],
    charts: ['kyverno.github.io/kyverno/kyverno'],
  }),
  known('teleport', ['Go/github.com/gravitational/teleport'], {
    images: [
      'public.ecr.aws/gravitational/teleport',
      'public.ecr.aws/gravitational/teleport-distroless',
      'quay.io/gravitational/teleport',
    ],
    repositories: ['gravitational/teleport'],
    charts: [
      'charts.releases.teleport.dev/teleport-cluster',
      'charts.releases.teleport.dev/teleport-kube-agent',
    ],
  }),
  known('clamav', [], { images: ['clamav/clamav'], repositories: ['Cisco-Talos/clamav'] }),
];

const kubernetes: readonly KnownSoftware[] = [
  known('kubernetes', ['Go/k8s.io/kubernetes'], {
    images: [
      'registry.k8s.io/kube-apiserver',
      'registry.k8s.io/kube-controller-manager',
      'registry.k8s.io/kube-scheduler',
      'registry.k8s.io/kube-proxy',
      'registry.k8s.io/kubectl',
      'kindest/node',
      'bitnami/kubectl',
      'bitnamilegacy/kubectl',
      'alpine/kubectl',
      'rancher/kubectl',
    ],
    repositories: ['kubernetes/kubernetes'],
  }),
  known(
    'etcd',
    ['Bitnami/etcd', 'Go/go.etcd.io/etcd'],
    withBitnami('etcd', {
      images: [
        'quay.io/coreos/etcd',
        'gcr.io/etcd-development/etcd',
        'registry.k8s.io/etcd',
        'k8s.gcr.io/etcd',
      ],
      repositories: ['etcd-io/etcd'],
    }),
  ),
  known(null, ['Go/github.com/coredns/coredns'], {
    images: ['coredns/coredns', 'registry.k8s.io/coredns/coredns', 'rancher/mirrored-coredns-coredns'],
    repositories: ['coredns/coredns'],
    charts: ['coredns.github.io/helm/coredns'],
  }),
  known('calico', ['Go/github.com/projectcalico/calico'], {
    images: [
      'calico/cni',
      'calico/node',
      'calico/kube-controllers',
      'calico/typha',
      'quay.io/calico/node',
      'quay.io/calico/cni',
      'quay.io/calico/kube-controllers',
    ],
    repositories: ['projectcalico/calico'],
    charts: ['docs.tigera.io/calico/charts/tigera-operator'],
  }),
  known('cilium', ['Bitnami/cilium', 'Go/github.com/cilium/cilium'], {
    images: [
      'quay.io/cilium/cilium',
      'quay.io/cilium/charts/cilium',
      'quay.io/cilium/operator',
      'quay.io/cilium/operator-generic',
      'quay.io/cilium/hubble-relay',
      'cilium/cilium',
    ],
    repositories: ['cilium/cilium'],
    charts: ['helm.cilium.io/cilium'],
  }),
  known('keda', [], {
    images: [
      'ghcr.io/kedacore/keda',
      'ghcr.io/kedacore/keda-metrics-apiserver',
      'ghcr.io/kedacore/keda-admission-webhooks',
    ],
    repositories: ['kedacore/keda'],
    charts: ['kedacore.github.io/charts/keda'],
  }),
  known('karpenter', [], {
    images: ['public.ecr.aws/karpenter/controller', 'public.ecr.aws/karpenter/karpenter'],
    repositories: ['kubernetes-sigs/karpenter'],
    charts: ['charts.karpenter.sh/karpenter'],
  }),
  known('knative', [], { repositories: ['knative/serving'] }),
  known('kubernetes-csi-node-driver-registrar', [], {
    images: [
      'registry.k8s.io/sig-storage/csi-node-driver-registrar',
      'k8s.gcr.io/sig-storage/csi-node-driver-registrar',
    ],
    repositories: ['kubernetes-csi/node-driver-registrar'],
  }),
  known('kubernetes-node-feature-discovery', [], {
    images: ['registry.k8s.io/nfd/node-feature-discovery'],
    repositories: ['kubernetes-sigs/node-feature-discovery'],
    charts: ['kubernetes-sigs.github.io/node-feature-discovery/charts/node-feature-discovery'],
  }),
  known('longhorn', [], {
    images: [
      'longhornio/longhorn-manager',
      'longhornio/longhorn-engine',
      'longhornio/longhorn-ui',
      'longhornio/longhorn-instance-manager',
    ],
    repositories: ['longhorn/longhorn'],
    charts: ['charts.longhorn.io/longhorn'],
  }),
  known('rancher', ['Go/github.com/rancher/rancher'], {
    images: ['rancher/rancher'],
    repositories: ['rancher/rancher'],
    charts: [
      'releases.rancher.com/server-charts/stable/rancher',
      'releases.rancher.com/server-charts/latest/rancher',
    ],
  }),
  known('containerd', ['Go/github.com/containerd/containerd'], { repositories: ['containerd/containerd'] }),
  known('docker-engine', ['Go/github.com/docker/docker', 'Go/github.com/moby/moby'], {
    images: ['docker'],
    repositories: ['moby/moby'],
  }),
  known('podman', ['Go/github.com/containers/podman'], {
    images: ['quay.io/podman/stable', 'quay.io/containers/podman'],
    repositories: ['containers/podman'],
  }),
  known(null, ['Bitnami/helm', 'Go/helm.sh/helm'], {
    images: ['alpine/helm', 'dtzar/helm-kubectl'],
    repositories: ['helm/helm'],
  }),
  known(null, ['Bitnami/crossplane', 'Go/github.com/crossplane/crossplane'], {
    images: [
      'crossplane/crossplane',
      'xpkg.crossplane.io/crossplane/crossplane',
      'xpkg.upbound.io/crossplane/crossplane',
    ],
    repositories: ['crossplane/crossplane'],
    charts: ['charts.crossplane.io/stable/crossplane'],
  }),
  known(null, ['Go/github.com/k3s-io/k3s'], { images: ['rancher/k3s'], repositories: ['k3s-io/k3s'] }),
];

const applications: readonly KnownSoftware[] = [
  known('nextcloud', ['Bitnami/nextcloud'], {
    images: ['nextcloud', 'linuxserver/nextcloud', 'lscr.io/linuxserver/nextcloud'],
    repositories: ['nextcloud/server'],
    charts: ['nextcloud.github.io/helm/nextcloud'],
  }),
  known(
    'wordpress',
    ['Bitnami/wordpress'],
    withBitnami('wordpress', { images: ['wordpress'], repositories: ['WordPress/WordPress'] }),
  ),
  known(
    'drupal',
    ['Bitnami/drupal'],
    withBitnami('drupal', { images: ['drupal'], repositories: ['drupal/drupal', 'drupal/core'] }),
  ),
  known(
    'joomla',
    ['Bitnami/joomla'],
    withBitnami('joomla', { images: ['joomla'], repositories: ['joomla/joomla-cms'] }),
  ),
  known('mediawiki', [], {
    images: ['mediawiki', 'bitnami/mediawiki'],
    repositories: ['wikimedia/mediawiki'],
  }),
  known('moodle', ['Bitnami/moodle'], withBitnami('moodle', { repositories: ['moodle/moodle'] })),
  known('matomo', [], withBitnami('matomo', { images: ['matomo'], repositories: ['matomo-org/matomo'] })),
  known(
    'mattermost',
    ['Go/github.com/mattermost/mattermost/server', 'Go/github.com/mattermost/mattermost-server'],
    {
      images: ['mattermost/mattermost-team-edition', 'mattermost/mattermost-enterprise-edition'],
      repositories: ['mattermost/mattermost'],
      charts: ['helm.mattermost.com/mattermost-team-edition'],
    },
  ),
  known('rocket-chat', [], {
    images: ['rocket.chat', 'rocketchat/rocket.chat', 'registry.rocket.chat/rocketchat/rocket.chat'],
    repositories: ['RocketChat/Rocket.Chat'],
    charts: ['rocketchat.github.io/helm-charts/rocketchat'],
  }),
  known(
    'discourse',
    ['Bitnami/discourse'],
    withBitnami('discourse', { repositories: ['discourse/discourse'] }),
  ),
  known(
    'mastodon',
    ['Bitnami/mastodon'],
    withBitnami('mastodon', {
      images: ['tootsuite/mastodon', 'ghcr.io/mastodon/mastodon', 'linuxserver/mastodon'],
      repositories: ['mastodon/mastodon'],
    }),
  ),
  known(
    'redmine',
    ['Bitnami/redmine'],
    withBitnami('redmine', { images: ['redmine'], repositories: ['redmine/redmine'] }),
  ),
  known(
    null,
    ['Bitnami/ghost'],
    withBitnami('ghost', { images: ['ghost'], repositories: ['TryGhost/Ghost'] }),
  ),
  known(
    'phpmyadmin',
    ['Bitnami/phpmyadmin'],
    withBitnami('phpmyadmin', {
      images: ['phpmyadmin', 'phpmyadmin/phpmyadmin'],
      repositories: ['phpmyadmin/phpmyadmin'],
    }),
  ),
  known('phpbb', [], { repositories: ['phpbb/phpbb'] }),
  known('roundcube', [], { images: ['roundcube/roundcubemail'], repositories: ['roundcube/roundcubemail'] }),
  known('shopware', [], { repositories: ['shopware/shopware'] }),
  known('typo3', [], { repositories: ['TYPO3/typo3'] }),
  known('dovecot', [], { images: ['dovecot/dovecot'], repositories: ['dovecot/core'] }),
  known('confluence', [], {
    images: ['atlassian/confluence', 'atlassian/confluence-server'],
    charts: ['atlassian.github.io/data-center-helm-charts/confluence'],
  }),
  known('jira-software', [], {
    images: ['atlassian/jira-software'],
    charts: ['atlassian.github.io/data-center-helm-charts/jira'],
  }),
  known('bitbucket', [], {
    images: ['atlassian/bitbucket', 'atlassian/bitbucket-server'],
    charts: ['atlassian.github.io/data-center-helm-charts/bitbucket'],
  }),
  known('bamboo', [], {
    images: ['atlassian/bamboo', 'atlassian/bamboo-server'],
    charts: ['atlassian.github.io/data-center-helm-charts/bamboo'],
  }),
  known('splunk', [], { images: ['splunk/splunk'] }),
  known('sourcegraph', [], {
    images: ['sourcegraph/server', 'sourcegraph/sg'],
    repositories: ['sourcegraph/sourcegraph'],
  }),
  known('coder', ['Go/github.com/coder/coder'], {
    images: ['ghcr.io/coder/coder'],
    repositories: ['coder/coder'],
    charts: ['helm.coder.com/v2/coder'],
  }),
  known('privatebin', [], {
    images: ['privatebin/nginx-fpm-alpine'],
    repositories: ['PrivateBin/PrivateBin'],
    charts: ['privatebin.github.io/helm-chart/privatebin'],
  }),
  known(
    'apache-airflow',
    ['Bitnami/airflow'],
    withBitnami('airflow', {
      images: ['apache/airflow'],
      repositories: ['apache/airflow'],
      charts: ['airflow.apache.org/airflow'],
    }),
  ),
  known(
    'apache-spark',
    ['Bitnami/spark'],
    withBitnami('spark', { images: ['spark', 'apache/spark'], repositories: ['apache/spark'] }),
  ),
  known(
    'apache-flink',
    ['Bitnami/flink'],
    withBitnami('flink', { images: ['flink', 'apache/flink'], repositories: ['apache/flink'] }),
  ),
  known('apache-nifi', ['Bitnami/nifi'], { images: ['apache/nifi'], repositories: ['apache/nifi'] }),
  known('apache-hadoop', [], { images: ['apache/hadoop'], repositories: ['apache/hadoop'] }),
  known('apache-pulsar', [], {
    images: ['apachepulsar/pulsar', 'apachepulsar/pulsar-all'],
    repositories: ['apache/pulsar'],
    charts: ['pulsar.apache.org/charts/pulsar'],
  }),
  known(null, ['Bitnami/superset'], {
    images: ['apache/superset'],
    repositories: ['apache/superset'],
    charts: ['apache.github.io/superset/superset'],
  }),
  known(
    null,
    ['Bitnami/jupyterhub'],
    withBitnami('jupyterhub', {
      images: ['jupyterhub/jupyterhub', 'quay.io/jupyterhub/jupyterhub'],
      repositories: ['jupyterhub/jupyterhub'],
      charts: ['hub.jupyter.org/helm-chart/jupyterhub'],
    }),
  ),
  known(
    null,
    ['Bitnami/mlflow'],
    withBitnami('mlflow', { images: ['ghcr.io/mlflow/mlflow'], repositories: ['mlflow/mlflow'] }),
  ),
  known(null, ['Bitnami/odoo'], withBitnami('odoo', { images: ['odoo'], repositories: ['odoo/odoo'] })),
  known(null, ['Bitnami/temporal', 'Go/go.temporal.io/server'], {
    images: ['temporalio/server', 'temporalio/auto-setup'],
    repositories: ['temporalio/temporal'],
    charts: ['go.temporal.io/helm-charts/temporal'],
  }),
  known(null, ['Bitnami/syncthing'], {
    images: ['syncthing/syncthing', 'linuxserver/syncthing', 'lscr.io/linuxserver/syncthing'],
    repositories: ['syncthing/syncthing'],
  }),
  known(null, ['Bitnami/seaweedfs', 'Go/github.com/seaweedfs/seaweedfs'], {
    images: ['chrislusf/seaweedfs'],
    repositories: ['seaweedfs/seaweedfs'],
    charts: ['seaweedfs.github.io/seaweedfs/helm/seaweedfs'],
  }),
  known(null, ['Go/github.com/portainer/portainer'], {
    images: ['portainer/portainer-ce', 'portainer/portainer-ee'],
    repositories: ['portainer/portainer'],
    charts: ['portainer.github.io/k8s/portainer'],
  }),
];

/** Go programs whose vulnerabilities are published for their Go module, and whose end-of-life dates aren't known. */
const goPrograms: readonly KnownSoftware[] = [
  known(null, ['Go/github.com/external-secrets/external-secrets'], {
    images: [
      'ghcr.io/external-secrets/external-secrets',
      'oci.external-secrets.io/external-secrets/external-secrets',
    ],
    repositories: ['external-secrets/external-secrets'],
    charts: ['charts.external-secrets.io/external-secrets'],
  }),
  known(null, ['Go/github.com/grafana/tempo'], {
    images: ['grafana/tempo'],
    repositories: ['grafana/tempo'],
    charts: ['grafana.github.io/helm-charts/tempo', 'grafana.github.io/helm-charts/tempo-distributed'],
  }),
  known(null, ['Go/github.com/kiali/kiali'], {
    images: ['quay.io/kiali/kiali'],
    repositories: ['kiali/kiali'],
    charts: ['kiali.org/helm-charts/kiali-server', 'kiali.org/helm-charts/kiali-operator'],
  }),
  known(null, ['Go/github.com/stefanprodan/podinfo'], {
    images: ['ghcr.io/stefanprodan/podinfo', 'stefanprodan/podinfo'],
    repositories: ['stefanprodan/podinfo'],
    charts: ['stefanprodan.github.io/podinfo/podinfo'],
  }),
  known(null, ['Go/github.com/open-policy-agent/opa'], {
    images: ['openpolicyagent/opa'],
    repositories: ['open-policy-agent/opa'],
  }),
  known(null, ['Go/github.com/aquasecurity/trivy'], {
    images: ['aquasec/trivy', 'ghcr.io/aquasecurity/trivy'],
    repositories: ['aquasecurity/trivy'],
  }),
  known(null, ['Go/github.com/rclone/rclone'], {
    images: ['rclone/rclone'],
    repositories: ['rclone/rclone'],
  }),
  known(null, ['Go/github.com/filebrowser/filebrowser'], {
    images: ['filebrowser/filebrowser'],
    repositories: ['filebrowser/filebrowser'],
  }),
  known(null, ['Go/github.com/usememos/memos'], {
    images: ['neosmemo/memos', 'ghcr.io/usememos/memos'],
    repositories: ['usememos/memos'],
  }),
  known(null, ['Go/github.com/navidrome/navidrome'], {
    images: ['deluan/navidrome', 'ghcr.io/navidrome/navidrome'],
    repositories: ['navidrome/navidrome'],
  }),
  known(null, ['Go/github.com/gotify/server'], {
    images: ['gotify/server', 'ghcr.io/gotify/server'],
    repositories: ['gotify/server'],
  }),
  known(null, ['Go/github.com/authelia/authelia'], {
    images: ['authelia/authelia', 'ghcr.io/authelia/authelia'],
    repositories: ['authelia/authelia'],
    charts: ['charts.authelia.com/authelia'],
  }),
  known(null, ['Go/github.com/cloudflare/cloudflared'], {
    images: ['cloudflare/cloudflared'],
    repositories: ['cloudflare/cloudflared'],
  }),
  known(null, ['Go/github.com/pomerium/pomerium'], {
    images: ['pomerium/pomerium'],
    repositories: ['pomerium/pomerium'],
  }),
  known(null, ['Go/code.vikunja.io/api'], {
    images: ['vikunja/vikunja'],
    repositories: ['go-vikunja/vikunja'],
  }),
  known(null, ['Go/gogs.io/gogs'], { images: ['gogs/gogs'], repositories: ['gogs/gogs'] }),
  known(null, ['Go/go.woodpecker-ci.org/woodpecker', 'Go/github.com/woodpecker-ci/woodpecker'], {
    images: ['woodpeckerci/woodpecker-server', 'woodpeckerci/woodpecker-agent'],
    repositories: ['woodpecker-ci/woodpecker'],
  }),
  known(null, ['Go/github.com/tektoncd/pipeline'], { repositories: ['tektoncd/pipeline'] }),
  known(null, ['Go/github.com/openfga/openfga'], {
    images: ['openfga/openfga'],
    repositories: ['openfga/openfga'],
    charts: ['openfga.github.io/helm-charts/openfga'],
  }),
  known(null, ['Go/github.com/ory/hydra'], {
    images: ['oryd/hydra'],
    repositories: ['ory/hydra'],
    charts: ['k8s.ory.sh/helm/charts/hydra'],
  }),
  known(null, ['Go/github.com/ory/kratos'], {
    images: ['oryd/kratos'],
    repositories: ['ory/kratos'],
    charts: ['k8s.ory.sh/helm/charts/kratos'],
  }),
  known(null, ['Go/kubevirt.io/kubevirt', 'Go/github.com/kubevirt/kubevirt'], {
    images: ['quay.io/kubevirt/virt-operator'],
    repositories: ['kubevirt/kubevirt'],
  }),
  known(null, ['Go/zotregistry.dev/zot', 'Go/zotregistry.io/zot'], {
    images: ['ghcr.io/project-zot/zot', 'ghcr.io/project-zot/zot-linux-amd64'],
    repositories: ['project-zot/zot'],
    charts: ['zotregistry.dev/helm-charts/zot'],
  }),
  known(null, ['Go/github.com/distribution/distribution', 'Go/github.com/docker/distribution'], {
    images: ['registry', 'distribution/distribution'],
    repositories: ['distribution/distribution'],
  }),
];

/** Known software, in groups. An address belongs to at most one entry. */
export const knownSoftware: readonly KnownSoftware[] = [
  ...databases,
  ...languages,
  ...baseImages,
  ...proxies,
  ...monitoring,
  ...delivery,
  ...security,
  ...kubernetes,
  ...applications,
  ...goPrograms,
];

/**
 * Package URLs of images whose tags aren't versions of the software in the image, but of an extension, of
 * another edition, or of the image itself. Reference data about the software doesn't apply to these tags,
 * even if it lists the image.
 */
export const packageUrlsWithOtherVersions: ReadonlySet<string> = new Set(
  [
    'ghcr.io/mend/renovate-ce',
    'pgvector/pgvector',
    'moodlehq/moodle-php-apache',
    'discourse/base',
    'shopware/docker-base',
  ].flatMap((image) => derivePurls({ source_type: 'oci_registry', artifact_name: fullName(image) })),
);
