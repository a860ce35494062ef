import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../temporary-folder.ts';

/** True if the `prometheus` program is installed. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

export interface PrometheusServer {
  url: string;
  /** Host and port in the form `host:port`. */
  host: string;
  close(): Promise<void>;
}

/**
 * Starts a Prometheus server and waits until it has scraped the given metrics.
 *
 * @param metrics Metrics in the exposition format.
 * @param isReady A query that returns a result when the metrics have been scraped.
 */
export async function startPrometheus(metrics: string, isReady: string): Promise<PrometheusServer> {
  const exporter = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(metrics);
  });
  await new Promise<void>((resolve) => exporter.listen(0, '127.0.0.1', resolve));
  const folder = temporaryFolder();
  const config = path.join(folder, 'prometheus.yml');
  const { port: exporterPort } = exporter.address() as AddressInfo;
  writeFileSync(
    config,
    `scrape_configs:
  - job_name: exporter
    honor_labels: true
    scrape_interval: 1s
    static_configs: [{ targets: ["127.0.0.1:${exporterPort}"] }]
`,
  );
  const port = await freePort();
  const program: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  while (!(await hasSeries(url, isReady))) await sleep(200);
  return {
    url,
    host: `127.0.0.1:${port}`,
    async close() {
      const ended = new Promise((resolve) => program.once('exit', resolve));
      program.kill('SIGKILL');
      await ended;
      await new Promise((resolve) => exporter.close(resolve));
    },
  };
}

async function hasSeries(url: string, query: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { data } = (await response.json()) as { data?: { result: unknown[] } };
    return (data?.result.length ?? 0) > 0;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
