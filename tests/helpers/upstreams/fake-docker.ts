import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';

/** A fake Docker or Podman daemon on a Unix socket. Tests set its responses. */
export interface FakeDocker {
  socket: string;
  version: object;
  info: { ID: string; Name: string; Swarm: { LocalNodeState: string } };
  containers: object[];
  images: object[];
  services: object[];
  /** Responses by path that override the default ones. */
  raw: Record<string, { status?: number; body: string }>;
  /** Method and path of each request, in order. */
  requests: string[];
  /** Paths to which the daemon sends no response. */
  silent: Set<string>;
  close(): Promise<void>;
}

/**
 * Docker 20.10 response to a request for the services of a host that is a Swarm worker or isn't in a Swarm.
 */
export const notASwarmManager = {
  status: 503,
  body: JSON.stringify({
    message:
      'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
  }),
};

export async function startFakeDocker(folder: string): Promise<FakeDocker> {
  const fake: FakeDocker = {
    socket: path.join(folder, 'docker.sock'),
    version: {
      Platform: { Name: '' },
      Components: [
        {
          Name: 'Engine',
          Version: '28.2.2',
        },
      ],
      Version: '28.2.2',
    },
    info: {
      ID: 'BVG3:5E3D:IXCD:X6CG:PXYB:H7UA:5VW6:WJD2:R2IL:UFFI:3BC5:XLPP',
      Name: 'vm',
      Swarm: { LocalNodeState: 'inactive' },
    },
    containers: [],
    images: [],
    services: [],
    raw: {},
    requests: [],
    silent: new Set(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    fake.requests.push(`${request.method} ${request.url}`);
    const url = request.url ?? '';
    if (fake.silent.has(url)) return;
    const answers: Record<string, object | undefined> = {
      '/version': fake.version,
      '/info': fake.info,
      '/containers/json': fake.containers,
      '/images/json': fake.images,
      '/services': fake.services,
    };
    const found = answers[url];
    const { status = 200, body } = fake.raw[url] ?? {
      status: found === undefined ? 404 : 200,
      body: JSON.stringify(found ?? { message: 'page not found' }),
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(fake.socket);
  await once(server, 'listening');
  return fake;
}

interface ContainerOptions {
  name: string;
  labels?: Record<string, string>;
  imageId?: string;
}

/** Returns a running container as `GET /containers/json` lists it. */
export function containerOf(
  image: string,
  { name, labels = {}, imageId = `sha256:${'a'.repeat(64)}` }: ContainerOptions,
): object {
  return {
    Id: Buffer.from(name).toString('hex'),
    Names: [`/${name}`],
    Image: image,
    ImageID: imageId,
    Command: '/bin/sleep 3000',
    Created: 0x6b04d97a,
    Ports: [],
    Labels: labels,
    State: 'running',
    Status: 'Up 38 seconds',
    HostConfig: { NetworkMode: 'none' },
    Mounts: [],
    NetworkSettings: {
      Networks: {
        none: {
          NetworkID: '44344e38c3ad',
          IPAddress: '',
        },
      },
    },
  };
}

/** Returns a container of a Compose project. */
export function composeContainer(
  project: string,
  service: string,
  image: string,
  { at = 1, ...options }: { at?: number; imageId?: string; labels?: Record<string, string> } = {},
): object {
  return containerOf(image, {
    ...options,
    name: `${project}-${service}-${at}`,
    labels: {
      'com.docker.compose.project': project,
      'com.docker.compose.service': service,
      'com.docker.compose.container-number': String(at),
      'com.docker.compose.oneoff': 'False',
      ...options.labels,
    },
  });
}

/** Returns a replicated service of a stack as `GET /services` lists it. */
export function swarmService(stack: string, service: string, image: string, change: object = {}): object {
  return {
    ID: 'wpjvtinq5uw51oe491uvd5rjh',
    Spec: {
      Name: `${stack}_${service}`,
      Labels: { 'com.docker.stack.namespace': stack },
      TaskTemplate: { ContainerSpec: { Image: image } },
      Mode: { Replicated: { Replicas: 2 } },
    },
    ...change,
  };
}
