// From a request to a receipt, with a client that knows the API by nothing but its description.

import createClient from "openapi-fetch";
import type { OperationView, paths } from "./api.js";

const { API, REQUESTER, REVIEWER } = process.env;
const TOPIC = "How durable execution survives a crash";

const ada = clientOf(REQUESTER);
const grace = clientOf(REVIEWER);

function clientOf(token: string | undefined) {
  return createClient<paths>({ baseUrl: API ?? "", headers: { Authorization: `Bearer ${token}` } });
}

async function until(id: string, holds: (operation: OperationView) => boolean) {
  for (;;) {
    const { data, error } = await ada.GET("/operations/{id}", { params: { path: { id } } });
    if (!data) throw new Error(error.detail);
    if (holds(data)) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const { data: accepted } = await ada.POST("/research", {
  params: { header: { "Idempotency-Key": "first" } },
  body: { topic: TOPIC, subtopics: [TOPIC] },
});
if (!accepted) throw new Error("The request was not accepted.");

const id = accepted.operation_id;
const { proposal } = await until(id, (operation) => operation.proposal !== null);
if (!proposal) throw new Error("There is no proposal.");

const path = { id, version: proposal.version };
const { data: version } = await grace.GET("/operations/{id}/proposals/{version}", {
  params: { path },
});
if (!version) throw new Error("The version is not shown.");

const body = { decision: "approve", digest: version.digest } as const;
const own = await ada.POST("/operations/{id}/proposals/{version}/decision", {
  params: { path },
  body,
});
const decided = await grace.POST("/operations/{id}/proposals/{version}/decision", {
  params: { path },
  body,
});
if (!decided.data) throw new Error(decided.error.detail);

const { receipt } = await until(id, (operation) => operation.receipt !== null);
const { data: report } = await ada.GET("/operations/{id}/report", {
  params: { path: { id } },
  parseAs: "text",
});
const refused = own.error?.code === "not_authorised" ? own.error.needs : null;
console.log(JSON.stringify({ refused, decision: decided.data.receipt, receipt, report }));
