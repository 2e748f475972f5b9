// A phone on its shelf is the camera: what it sees is sent as JPEG, one picture after the other.

import { make } from "./board.js";
import { told } from "./camera.js";
import { follow, say } from "./live.js";

const STEP_MS = 125; // between pictures; the eye looks no more often than eight times a second
const QUALITY = 0.9;
const AGAIN_MS = 1000; // after a picture that did not arrive
const ASK_MS = 2000; // how often the table is asked what it sees
const FAILURES = { NotAllowedError: "eye.forbidden", NotFoundError: "eye.none", NotReadableError: "eye.busy" };
const FINAL = [403, 404, 409, 415]; // asking again would not help

const note = document.getElementById("note");
const eye = document.getElementById("eye");
follow(() => {}, { stay: true });

const possible = isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);
if (eye) {
  document.getElementById("plain").hidden = possible;
  eye.hidden = !possible;
  if (possible) setUp();
}

function setUp() {
  const view = document.getElementById("view");
  const lens = document.getElementById("lens");
  const size = document.getElementById("size");
  const go = document.getElementById("go");
  const stop = document.getElementById("stop");
  const insteadButton = document.getElementById("instead");
  const canvas = document.createElement("canvas");
  // The same for as long as this page is open, so that it is the same phone after a loss of the network.
  const phone = sessionStorage.getItem("phone") ?? [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("phone", phone);
  let stream = null;
  let awake = null;
  let running = 0; // which run it is; one that was stopped finds another number here
  let instead = false;
  let arrived = null;

  go.onclick = () => begin();
  stop.onclick = () => end("");
  insteadButton.onclick = () => {
    instead = true;
    begin();
  };
  lens.onchange = size.onchange = () => stream && begin();
  document.addEventListener("visibilitychange", () => stream && !document.hidden && stayAwake());
  setInterval(look, ASK_MS);

  async function begin() {
    end("");
    go.disabled = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted() });
      view.srcObject = stream;
      view.hidden = false;
      await view.play();
    } catch (error) {
      return end(say(FAILURES[error.name] ?? "eye.failed"));
    } finally {
      go.disabled = false;
    }
    stream.getVideoTracks()[0].onended = () => end(say("eye.busy"));
    go.hidden = true;
    stop.hidden = false;
    await Promise.all([showLenses(), stayAwake()]);
    running += 1;
    sendAll(running);
  }

  function wanted() {
    const [width, height] = size.value.split("x").map(Number);
    const which = lens.value ? { deviceId: { exact: lens.value } } : { facingMode: { ideal: "environment" } };
    return { ...which, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 15 } };
  }

  async function showLenses() {
    const cameras = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
    const now = stream?.getVideoTracks()[0].getSettings().deviceId;
    lens.replaceChildren(...cameras.map((one, index) => make("option", { value: one.deviceId, selected: one.deviceId === now }, one.label || String(index + 1))));
    document.getElementById("lenses").hidden = cameras.length < 2;
  }

  async function stayAwake() {
    awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }

  function end(why) {
    running += 1;
    stream?.getTracks().forEach((track) => track.stop());
    awake?.release();
    stream = awake = arrived = view.srcObject = null;
    view.hidden = stop.hidden = insteadButton.hidden = true;
    go.hidden = false;
    note.textContent = why;
    document.getElementById("sends").replaceChildren();
  }

  async function sendAll(run) {
    while (run === running) {
      const began = performance.now();
      const picture = await shot();
      if (run !== running) return;
      const waits = picture && (await send(picture, run)) ? STEP_MS - (performance.now() - began) : AGAIN_MS;
      await new Promise((wake) => setTimeout(wake, Math.max(0, waits)));
    }
  }

  // The next picture of the camera; `null` while none comes, so that nothing old is sent as if it were new.
  function shot() {
    return new Promise((done) => {
      const late = setTimeout(() => done(null), AGAIN_MS);
      const draw = () => {
        clearTimeout(late);
        canvas.width = view.videoWidth;
        canvas.height = view.videoHeight;
        if (!canvas.width) return done(null);
        canvas.getContext("2d").drawImage(view, 0, 0);
        canvas.toBlob(done, "image/jpeg", QUALITY);
      };
      if (view.requestVideoFrameCallback) view.requestVideoFrameCallback(draw);
      else draw();
    });
  }

  async function send(picture, run) {
    let answer;
    try {
      const how = { method: "POST", body: picture, headers: { "Content-Type": "image/jpeg" }, signal: AbortSignal.timeout(8000) };
      answer = await fetch(`/api/v1/eye?phone=${phone}${instead ? "&instead=1" : ""}`, how);
    } catch {
      if (run === running) note.textContent = say("unsaid");
      return false;
    }
    const body = await answer.json().catch(() => ({}));
    if (run !== running) return false;
    if (answer.ok) {
      instead = false;
      note.textContent = "";
      arrived = body;
      return true;
    }
    if (FINAL.includes(answer.status)) {
      end(body.detail ?? say("unsaid"));
      insteadButton.hidden = answer.status !== 409;
    } else note.textContent = body.detail ?? say("unsaid");
    return false;
  }

  async function look() {
    if (!arrived || document.hidden) return;
    const answer = await fetch("/api/v1/health", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || !arrived) return;
    const now = await answer.json();
    const { state, lines } = told(now);
    const [width, height] = arrived.size_px;
    const sent = say("eye.sends", { width, height, rate: arrived.rate_hz.toFixed(1) });
    document.getElementById("sends").replaceChildren(...[state, sent, ...lines].map((line) => make("li", {}, line)));
  }
}
