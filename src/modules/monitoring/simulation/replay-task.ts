import type { Schemas } from '../../../generated/client-api.ts';
import type { CalendarFeed, CalendarRequest } from '../forecast/crossing-calendar.ts';
import type { ForecastPage, ForecastRequest } from '../forecast/run-forecast.ts';
import type { PatchTimesRequest } from '../patch-times/run-patch-times.ts';
import type { AcceptanceSimulationRequest, TypicalMessages } from './run-acceptance-simulation.ts';
import type { MessageSimulationRequest } from './run-message-simulation.ts';
import type { SimulationRequest } from './run-simulation.ts';

/** Kinds of tasks that the thread runs. */
interface Kinds {
  simulation: { request: SimulationRequest; result: Schemas['SimulationResult'] };
  messages: { request: MessageSimulationRequest; result: Schemas['MessageSimulationResult'] };
  acceptance: { request: AcceptanceSimulationRequest; result: TypicalMessages | null };
  forecast: { request: ForecastRequest; result: ForecastPage };
  patch_times: { request: PatchTimesRequest; result: Schemas['PatchTimes'] };
  calendar: { request: CalendarRequest; result: CalendarFeed };
}

export type ReplayKind = keyof Kinds;
export type RequestOf<Kind extends ReplayKind> = Kinds[Kind]['request'];
export type ResultOf<Kind extends ReplayKind> = Kinds[Kind]['result'];

export type ReplayTask = {
  [Kind in ReplayKind]: { readonly kind: Kind; readonly request: RequestOf<Kind> };
}[ReplayKind];
export type ReplayResult = ResultOf<ReplayKind>;
