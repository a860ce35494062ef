import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type DeploymentEvent,
  differingAttribute,
  type EventEnvelope,
  eventFields,
  readDeploymentEvent,
} from '../../domain/deployments/deployment-event.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { type ApiRequest, mediaTypeOf } from '../../platform/http/index.ts';
import type { TurnDeps } from '../monitoring/index.ts';
import { senderUrl } from '../notifications/index.ts';
import { reportDeployment } from './report-deployment.ts';

/**
 * Stores the deployment that an event reports. The event is in an envelope or has its attributes in headers.
 *
 * @returns `null` for an event that this organization has sent and that a program has returned.
 */
export async function reportDeploymentEvent(
  deps: TurnDeps & { baseUrl: string },
  request: ApiRequest<'reportDeploymentEvent'>,
): Promise<Awaited<ReturnType<typeof reportDeployment>> | null> {
  const http = request.http.request;
  const { body } = request;
  const isEnvelope = isInEnvelope(body, mediaTypeOf(http));
  const envelope: EventEnvelope = isEnvelope ? body : readHeaders(http.headers);
  const event: DeploymentEvent = isEnvelope ? body.data : body;
  const prefix = isEnvelope ? 'data.' : '';
  const differing = differingAttribute(event, envelope);
  if (differing !== null)
    throw invalidField(
      isEnvelope ? differing : `ce-${differing}`,
      `must be the ${differing} in ${prefix}context`,
    );
  const read = readDeploymentEvent(event);
  if ('problem' in read) throw invalidField(`${prefix}${read.problem.field}`, read.problem.message);
  const report = { ...read.report, gather_job_id: null, commit: null, url: null, labels: {}, sbom: null };
  const { source, id } = event.context;
  if (source === senderUrl(deps.baseUrl, request.caller.organizationId)) return null;
  // The target is part of the key. Otherwise, a sender for one target could block the events of another
  // target.
  const eventKey = createHash('sha256')
    .update(JSON.stringify([source, id, report.service, report.environment]))
    .digest();
  return reportDeployment(deps, request, report, eventKey).catch((error: unknown) => {
    throw withEventFields(error, prefix);
  });
}

/** Returns true for an event in structured mode: the media type decides which schema the body was validated against. */
function isInEnvelope(
  _body: ApiRequest<'reportDeploymentEvent'>['body'],
  mediaType: string,
): _body is Schemas['DeploymentCloudEvent'] {
  return mediaType === 'application/cloudevents+json';
}

/** Reads the attributes of an event in binary mode. Values can be percent-encoded. */
function readHeaders(headers: IncomingHttpHeaders): EventEnvelope {
  const version = headers['ce-specversion'];
  if (version !== undefined && version !== '1.0') throw invalidField('ce-specversion', 'must be 1.0');
  const read = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? decode(value) : undefined;
  };
  return { id: read('ce-id'), source: read('ce-source'), type: read('ce-type') };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces the field names of a report with those of the event. */
function withEventFields(error: unknown, prefix: string): unknown {
  if (!(error instanceof ApiError) || error.options.errors === undefined) return error;
  const errors = error.options.errors.map(({ field, message }) => ({
    field: prefix + (ownValue<string>(eventFields, field) ?? field),
    message,
  }));
  const [first] = errors;
  const detail = first === undefined ? error.message : `${first.field}: ${first.message}`;
  return new ApiError(error.code, detail, { ...error.options, errors, cause: error });
}
