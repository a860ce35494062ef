export type RequestMethod = 'POST' | 'PUT';
export type ClosingMethod = RequestMethod | 'PATCH' | 'DELETE';
export type BodyFormat = 'json' | 'form';

/** Format of the requests of a generic webhook channel. */
export interface RequestFormat {
  request_method: RequestMethod;
  body_format: BodyFormat;
  /** Method of requests to the channel's closing path. */
  closing_method: ClosingMethod;
}
