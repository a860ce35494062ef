import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../temporary-folder.ts';
import { startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

/** True if the `docker-registry` program is installed. */
export const hasRegistry = spawnSync('docker-registry', ['--version']).status === 0;

const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
} as const;

export interface RegistryServer extends UpstreamServer {
  /**
   * Pushes a single-platform image under a tag.
   *
   * @param content Content of the image. Different content produces a different digest.
   * @returns The digest of the image.
   */
  push(name: string, tag: string, content: string): Promise<string>;
  /**
   * Pushes an image with two platforms under a tag.
   *
   * @returns The digest of the index and the digests of its platforms.
   */
  pushIndex(name: string, tag: string, content: string): Promise<{ index: string; platforms: string[] }>;
}

/**
 * Starts a real registry behind a proxy that records every request and can override responses.
 *
 * @param cached Host of another registry, for which the started registry is a pull-through cache.
 */
export async function startRegistry(cached: string | null = null): Promise<RegistryServer> {
  const folder = temporaryFolder();
  const config = path.join(folder, 'config.yml');
  writeFileSync(
    config,
    `version: 0.1
log: { level: info }
storage: { filesystem: { rootdirectory: "${path.join(folder, 'data')}" } }
http: { addr: "127.0.0.1:0" }
${cached === null ? '' : `proxy: { remoteurl: "http://${cached}" }`}
`,
  );
  const program = spawn('docker-registry', ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<number>((resolve, reject) => {
    program.once('exit', (code) => reject(new Error(`the registry ended with ${code}`)));
    createInterface({ input: program.stderr }).on('line', (line) => {
      const [, found] = /listening on 127\.0\.0\.1:(\d+)/u.exec(line) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });

  const proxy = await startUpstreamServer((request, response) => {
    const forwarded = sendRequest(
      { host: '127.0.0.1', port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  const direct = `http://127.0.0.1:${port}`;

  async function pushBlob(name: string, content: string) {
    const started = await fetch(`${direct}/v2/${name}/blobs/uploads/`, { method: 'POST' });
    const location = new URL(started.headers.get('location') ?? '', direct);
    location.searchParams.set('digest', digestOf(content));
    await expectCreated(fetch(location, { method: 'PUT', body: content }));
    return { digest: digestOf(content), size: Buffer.byteLength(content) };
  }

  async function pushManifest(name: string, reference: string, type: string, manifest: object) {
    const body = JSON.stringify({ schemaVersion: 2, mediaType: type, ...manifest });
    await expectCreated(
      fetch(`${direct}/v2/${name}/manifests/${reference}`, {
        method: 'PUT',
        headers: { 'content-type': type },
        body,
      }),
    );
    return { mediaType: type, digest: digestOf(body), size: Buffer.byteLength(body) };
  }

  async function pushImage(name: string, reference: string | null, content: string) {
    const config = await pushBlob(name, JSON.stringify({ architecture: 'amd64', os: 'linux', content }));
    const manifest = { config: { mediaType: types.config, ...config }, layers: [] };
    const body = JSON.stringify({ schemaVersion: 2, mediaType: types.manifest, ...manifest });
    return pushManifest(name, reference ?? digestOf(body), types.manifest, manifest);
  }

  return Object.assign(proxy, {
    push: async (name: string, tag: string, content: string) => (await pushImage(name, tag, content)).digest,
    async pushIndex(name: string, tag: string, content: string) {
      const manifests = [];
      for (const architecture of ['amd64', 'arm64']) {
        const image = await pushImage(name, null, `${content} ${architecture}`);
        manifests.push({ ...image, platform: { architecture, os: 'linux' } });
      }
      const index = await pushManifest(name, tag, types.index, { manifests });
      return { index: index.digest, platforms: manifests.map(({ digest }) => digest) };
    },
    close: closeBoth(proxy.close, program),
  });
}

function closeBoth(closeProxy: () => Promise<void>, program: ReturnType<typeof spawn>) {
  return async () => {
    await closeProxy();
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGKILL');
    await ended;
  };
}

function digestOf(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

async function expectCreated(sending: Promise<Response>): Promise<void> {
  const response = await sending;
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
}
