// A phone as the camera: it sends JPEG pictures, one after the other.

import { told } from "./camera.js";
import { keepAwake, remember, remembered } from "./device.js";
import { byId, make, timeoutSignal } from "./dom.js";
import { follow, say } from "./live.js";
import { randomName } from "./random.js";
import { ask } from "./send.js";

const STEP_MS = 125; // between pictures; the table takes at most eight per second
const QUALITY = 0.9;
const AGAIN_MS = 1000; // after a failed upload
const ASK_MS = 2000; // between requests for the state of the camera
const PATIENCE_MS = 8000;
/** @type {Record<string, string>} */
const FAILURES = { NotAllowedError: "eye.forbidden", NotFoundError: "eye.none", NotReadableError: "eye.busy" };
const FINAL = [403, 404, 409, 415]; // trying again would not help

const note = byId("note");
const eye = document.getElementById("eye");
follow(() => {}, { stay: true });

const possible = isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);
if (eye) {
  byId("plain").hidden = possible;
  eye.hidden = !possible;
  if (possible) setUp();
}

function setUp() {
  const view = byId("view", HTMLVideoElement);
  const lens = byId("lens", HTMLSelectElement);
  const size = byId("size", HTMLSelectElement);
  const go = byId("go", HTMLButtonElement);
  const stop = byId("stop");
  const insteadButton = byId("instead");
  const canvas = document.createElement("canvas");
  // Constant while this page is open, so that the phone is recognised after a network failure.
  const phone = remembered("phone", "tab") ?? randomName(12);
  remember("phone", phone, "tab");
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {WakeLockSentinel | null} */
  let awake = null;
  let running = 0; // number of the current run; a stopped run finds another number here
  let instead = false;
  /** @type {{ size_px: [number, number], rate_hz: number } | null} */
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
      const opened = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted() });
      stream = opened;
      view.srcObject = opened;
      view.hidden = false;
      await view.play();
      opened.getVideoTracks()[0].onended = () => end(say("eye.busy"));
    } catch (error) {
      return end(say((error instanceof Error && FAILURES[error.name]) || "eye.failed"));
    } finally {
      go.disabled = false;
    }
    go.hidden = true;
    stop.hidden = false;
    await Promise.all([showLenses().catch(() => {}), stayAwake()]);
    running += 1;
    sendAll(running);
  }

  /** @returns {MediaTrackConstraints} */
  function wanted() {
    const [width, height] = size.value.split("x").map(Number);
    const which = lens.value ? { deviceId: { exact: lens.value } } : { facingMode: { ideal: "environment" } };
    return { ...which, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 15 } };
  }

  async function showLenses() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const cameras = devices.filter((one) => one.kind === "videoinput");
    const now = stream?.getVideoTracks()[0].getSettings().deviceId;
    const options = cameras.map(({ deviceId, label }, index) => {
      return make("option", { value: deviceId, selected: deviceId === now }, label || String(index + 1));
    });
    lens.replaceChildren(...options);
    byId("lenses").hidden = cameras.length < 2;
  }

  async function stayAwake() {
    awake = await keepAwake();
  }

  /** @param {string} why */
  function end(why) {
    running += 1;
    for (const track of stream?.getTracks() ?? []) track.stop();
    awake?.release();
    stream = awake = arrived = view.srcObject = null;
    view.hidden = stop.hidden = insteadButton.hidden = true;
    go.hidden = false;
    note.textContent = why;
    byId("sends").replaceChildren();
  }

  /** @param {number} run */
  async function sendAll(run) {
    while (run === running) {
      const began = performance.now();
      const picture = await shot();
      if (run !== running) return;
      const arrives = picture && (await send(picture, run));
      const waits = arrives ? STEP_MS - (performance.now() - began) : AGAIN_MS;
      await new Promise((wake) => setTimeout(wake, Math.max(0, waits)));
    }
  }

  /**
   * The next picture of the camera; `null` if none comes, so that no old picture is sent as new.
   * @returns {Promise<Blob | null>}
   */
  function shot() {
    return new Promise((done) => {
      const late = setTimeout(() => done(null), AGAIN_MS);
      const draw = () => {
        clearTimeout(late);
        canvas.width = view.videoWidth;
        canvas.height = view.videoHeight;
        if (!canvas.width) return done(null);
        canvas.getContext("2d")?.drawImage(view, 0, 0);
        canvas.toBlob(done, "image/jpeg", QUALITY);
      };
      if ("requestVideoFrameCallback" in view) view.requestVideoFrameCallback(draw);
      else draw();
    });
  }

  /** Sends a picture and returns whether it arrived. @param {Blob} picture @param {number} run */
  async function send(picture, run) {
    let answer;
    try {
      const headers = { "Content-Type": "image/jpeg" };
      const how = { method: "POST", body: picture, headers, signal: timeoutSignal(PATIENCE_MS) };
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
    const words = body.detail ?? say("unsaid");
    if (FINAL.includes(answer.status)) {
      end(words);
      insteadButton.hidden = answer.status !== 409;
    } else note.textContent = words;
    return false;
  }

  async function look() {
    if (!arrived || document.hidden) return;
    const health = await ask("health");
    if (!health || !arrived) return;
    const { state, lines } = told(health);
    const [width, height] = arrived.size_px;
    const sent = say("eye.sends", { width, height, rate: arrived.rate_hz.toFixed(1) });
    const said = [state, sent, ...lines.map((one) => one.words)];
    byId("sends").replaceChildren(...said.map((line) => make("li", {}, line)));
  }
}
