import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { authority, serverCertificates, serverKey } from '../../../../tests/helpers/tls-certificates.ts';
import {
  createEgressGuard,
  createHttpPolicy,
  createOutboundClient,
} from '../../../platform/outbound/index.ts';

const { db, connection } = await createTestDatabase();
const world = createDeliveryWorld({ db, connection });
const outbound = createOutboundClient({
  guard: createEgressGuard({ allow: ['127.0.0.1/32'] }),
  allowHttp: createHttpPolicy({ insecureHosts: [], allowHttpWebhooks: false }),
  resolveName: () => Promise.resolve(['127.0.0.1']),
  ca: authority,
});
world.startLoop({ outbound });
afterAll(async () => {
  await world.close();
  await outbound.close();
});

async function check(problem: keyof typeof serverCertificates, expected: object) {
  let requests = 0;
  const server = createServer({ key: serverKey, cert: serverCertificates[problem] }, (_request, response) => {
    requests += 1;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const { organizationId } = await world.createOrganizationWithChannel({
      url: `https://good.test:${port}/hook`,
    });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    const delivery = await pollUntil(async () => {
      const [row] = await world.deliveries(organizationId);
      return row?.status !== 'pending' && row?.status !== 'in_progress' && row;
    });
    expect(delivery).toMatchObject(expected);
    // No part of the message is sent to a server that might not be the receiver.
    expect(requests).toBe(delivery.status === 'succeeded' ? 1 : 0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a receiver with a valid certificate gets its message', async () => {
  await check('nothing', { status: 'succeeded', response_status: 200, error_code: null });
});

test.each([
  ['for a different host', 'the certificate is for a different host'],
  ['expired', 'the certificate has expired'],
  ['signed by an unknown authority', "the certificate isn't signed by a trusted authority"],
] as const)(
  'a receiver with an invalid certificate (%s) gets no message, and the delivery is retried',
  async (problem, sentence) => {
    await check(problem, {
      status: 'failed',
      response_status: null,
      error_code: 'tls_failed',
      error_message: expect.stringContaining(sentence),
    });
  },
);
