"""HTTP functions that tell what they were sent, and answer what they are asked to."""

import json

import azure.functions as func

http = func.Blueprint()


@http.route("answer/{status:int}", methods=["GET", "POST"])
def answer_with(req: func.HttpRequest) -> func.HttpResponse:
    headers = dict(req.params)
    return func.HttpResponse("body", status_code=int(req.route_params["status"]), headers=headers)


@http.route("echo/{*rest}")
def echo_request(req: func.HttpRequest) -> func.HttpResponse:
    seen = {
        "method": req.method,
        "url": req.url,
        "route": dict(req.route_params),
        "query": dict(req.params),
        "headers": dict(req.headers),
        "body": req.get_body().decode(),
    }
    return func.HttpResponse(json.dumps(seen), mimetype="application/json")
